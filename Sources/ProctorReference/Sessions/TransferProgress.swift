/// The numbers of one callback about an upload (R23) or a download (R34), in bytes.
public struct TransferProgress: Sendable, Hashable {
    /// New with this callback; never 0.
    public var byteCount: Int
    /// Of this transmission, this callback included; of a resumed download, the bytes before it too.
    public var total: Int
    /// In the end; -1 when nobody knows.
    public var expected: Int

    /// The numbers as they are.
    public init(byteCount: Int, total: Int, expected: Int) {
        self.byteCount = byteCount
        self.total = total
        self.expected = expected
    }
}

/// What was measured of a task (R41).
public struct ReferenceMetrics: Sendable, Hashable {
    /// Requests that went over the wire for it: redirects, second tries with a credential and repeats are counted.
    public var exchangeCount: Int

    /// The number as it is.
    public init(exchangeCount: Int) { self.exchangeCount = exchangeCount }
}

/// What becomes of a data task whose response has come (R29).
public enum ResponseDisposition: Sendable, Hashable {
    /// Its content is delivered.
    case allow
    /// It ends with `cancelled`, and no content is delivered.
    case cancel
    /// It is a download from now on, under the same number.
    case becomeDownload
}
