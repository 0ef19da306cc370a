/// Bytes that arrived and stand in no other entry of a journal.
public struct ReceivedBytes: Sendable, Equatable {
    /// What the bytes are a part of.
    public let kind: Kind
    /// The first bytes, at most ``keptByteLimit``.
    public let kept: [UInt8]
    /// The count of all bytes that came.
    public let byteCount: Int

    /// What bytes can be that no entry about a request holds.
    public enum Kind: String, Sendable, CaseIterable {
        /// A request that was refused, from its first byte; or content that was refused, from the first byte of the part
        /// that can't be read.
        case refused
        /// A head, or a line within chunked content, that was not whole when the connection ended.
        case unfinished
        /// Behind a request, on a connection where no other is read.
        case behind
        /// The body of a request, as framed, that came when the reply had ended the connection.
        case late
        /// Of no HTTP: behind 101 (Switching Protocols), or behind a 2xx reply to CONNECT (RFC 9110 §7.8, §9.3.6).
        case opaque
    }

    /// Bytes that one entry keeps.
    public static let keptByteLimit = 64 << 10

    /// `kept` is the beginning, or all.
    public init(_ kind: Kind, kept: [UInt8], byteCount: Int) {
        self.kind = kind
        self.kept = kept
        self.byteCount = byteCount
    }
}

/// What came of one step of a script that expects bytes on a connection that is no HTTP any more.
public struct ExpectedBytes: Sendable, Equatable {
    /// How many bytes were expected.
    public let byteCount: Int
    /// How many bytes came as expected.
    public let metByteCount: Int
    /// How the step ended.
    public let outcome: Outcome
    /// What was expected behind the bytes that were met, the first ``shownByteLimit`` bytes; nil where any bytes do.
    public let wanted: [UInt8]?
    /// What came in the place of `wanted`, the first ``shownByteLimit`` bytes.
    public let got: [UInt8]

    /// How a step that expects bytes ends.
    public enum Outcome: String, Sendable, CaseIterable {
        /// All expected bytes came.
        case met
        /// Another byte came.
        case differed
        /// The client ended the connection before.
        case ended
        /// The time of the step was over.
        case timedOut
    }

    /// Bytes that are shown where others came.
    public static let shownByteLimit = 64

    /// The parts as they are; of a step that was met `wanted` and `got` say nothing.
    public init(byteCount: Int, metByteCount: Int, outcome: Outcome, wanted: [UInt8]? = nil, got: [UInt8] = []) {
        self.byteCount = byteCount
        self.metByteCount = metByteCount
        self.outcome = outcome
        self.wanted = wanted
        self.got = got
    }
}
