/// Reads the parts of `multipart/x-mixed-replace`, `multipart/mixed` and their like (RFC 2046 §5.1.1).
///
/// Pure: bytes in, events out, and the same bytes give the same events at any split, except that content ends where the
/// input ends. Holds no more than one boundary or one part's head. What stands before the first boundary and behind the
/// last one is passed over.
public struct MultipartReader: Sendable {
    /// `--` and the boundary.
    let dashBoundary: [UInt8]
    let headByteLimit: Int
    var state = State.content
    var match = Match.line(.none, 0)
    /// A part has begun and not ended; false before the first boundary.
    var isInPart = false
    /// Bytes of the body that were consumed.
    var position = 0
    /// The part's head, as far as it has come.
    var head: [UInt8] = []
    var scanner = LineScanner()
    /// Events that were found together, last first.
    var pending: [MultipartEvent] = []

    enum State: Sendable, Equatable {
        /// Between boundaries, and before the first one. Next: delimiter, over.
        case content
        /// Behind a boundary: how many dashes, and whether they can still close the body. Next: head, over.
        case delimiter(dashes: Int, canClose: Bool)
        /// Next: content, over.
        case head
        /// The closing boundary, the end or a refusal was seen.
        case over
    }

    /// How much of a boundary the last bytes are.
    enum Match: Sendable, Equatable {
        /// None of it.
        case none
        /// A CR that may begin it.
        case carriageReturn
        /// A line end, and so many bytes of `dashBoundary`.
        case line(LineEnd, Int)
    }

    enum LineEnd: Sendable, Equatable {
        /// The body or a part's content begins here; what would stand before it belongs to what came before.
        case none
        case lineFeed
        case both

        var bytes: [UInt8] {
            switch self {
            case .none: []
            case .lineFeed: [.lineFeed]
            case .both: [.carriageReturn, .lineFeed]
            }
        }
    }

    /// Nil for a boundary that no body can have: empty, over 70 bytes, or with controls or bytes beyond ASCII.
    ///
    /// A part's head may have up to `headByteLimit` bytes.
    public init?(boundary: [UInt8], headByteLimit: Int = 16_384) {
        guard (1...70).contains(boundary.count), boundary.allSatisfy({ !$0.isControl && $0 < 0x80 }) else { return nil }
        dashBoundary = Array("--".utf8) + boundary
        self.headByteLimit = max(headByteLimit, 2)
    }

    /// Nil where the type is not multipart or has no boundary that can be used.
    public init?(_ mediaType: MediaType, headByteLimit: Int = 16_384) {
        guard mediaType.type == "multipart", let boundary = mediaType.boundary else { return nil }
        self.init(boundary: boundary, headByteLimit: headByteLimit)
    }

    /// Reads on from `input[offset]` and moves `offset` past what was consumed.
    ///
    /// Nil: all input was consumed and more is needed. To be called until nil; behind the end it swallows the rest.
    public mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MultipartEvent? {
        let start = offset
        defer { position += offset - start }
        while pending.isEmpty, offset < input.count {
            switch state {
            case .content: readContent(input, &offset)
            case .delimiter(let dashes, let canClose): readDelimiter(input, &offset, dashes, canClose)
            case .head: readHead(input, &offset, from: start)
            case .over: offset = input.count
            }
        }
        return pending.popLast()
    }

    /// The body is complete; to be called until nil.
    public mutating func end() -> MultipartEvent? {
        if state != .over {
            if state == .content, isInPart, !held.isEmpty { pending.append(.content(held)) }
            if isInPart { pending.append(.partEnded) }
            pending.append(.ended(isClosed: false))
            pending.reverse()
            state = .over
        }
        return pending.popLast()
    }
}
