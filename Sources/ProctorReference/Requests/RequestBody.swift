/// The content of a request, and whether it can be had a second time.
public enum RequestBody: Sendable, Equatable {
    /// No content; methods that anticipate one are sent with `Content-Length: 0` (RFC 9110 §8.6).
    case none
    /// Sent again as often as needed.
    case bytes([UInt8])
    /// The path of a file, opened at each sending.
    case file(path: String)
    /// Can be read once; for a second sending the delegate is asked for another one (R22).
    case stream(BodyStream)
    /// The delegate is asked for the first stream too (R21).
    case streamOnDemand

    /// Whether a sending takes it away.
    public var isConsumedBySending: Bool {
        switch self {
        case .none, .bytes, .file: false
        case .stream, .streamOnDemand: true
        }
    }

    /// Bytes that will be sent; nil when only the end of a stream tells, or the file.
    public var byteCount: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .stream(let stream): stream.byteCount
        case .file, .streamOnDemand: nil
        }
    }
}
