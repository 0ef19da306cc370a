internal import ProctorBase

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

/// Content that comes piece by piece and can be read once.
///
/// Any thread may make one; the loader reads it on its loop's thread.
public final class BodyStream: Sendable, Equatable {
    /// Bytes in all; nil: only its end tells, and it is sent in chunks (RFC 9112 §7.1).
    public let byteCount: Int?
    private let source: @Sendable () async throws -> [UInt8]?
    private let isOpened = Locked(false)

    /// `next` gives pieces that are not empty, then nil; what it throws ends the load.
    ///
    /// `source` is called on the loading thread, which must not be blocked: use `await`, and heed cancellation.
    /// A negative count is none.
    public init(byteCount: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.byteCount = byteCount.flatMap { $0 < 0 ? nil : $0 }
        source = next
    }

    /// All of `bytes`, in pieces of at most `pieceByteCount`; the length is not told unless `isLengthKnown`.
    public convenience init(_ bytes: [UInt8], pieceByteCount: Int = 16_384, isLengthKnown: Bool = false) {
        let rest = Locked(bytes[...])
        self.init(byteCount: isLengthKnown ? bytes.count : nil) {
            rest.withLock { rest in
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(max(1, pieceByteCount)) }
                return Array(rest.prefix(max(1, pieceByteCount)))
            }
        }
    }

    /// Marks it as taken; false when it was read from already, and then it must not be sent (R22).
    func open() -> Bool {
        isOpened.withLock { isOpened in
            defer { isOpened = true }
            return !isOpened
        }
    }

    /// The next piece; nil at the end.
    func next() async throws -> [UInt8]? { try await source() }

    /// Streams are equal when they are the same object.
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
}
