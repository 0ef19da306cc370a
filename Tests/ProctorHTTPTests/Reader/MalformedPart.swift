import ProctorHTTP

/// What is wrong in requests and in replies alike: field lines, or what comes behind a head, marked as `Marked` says.
///
/// Each row stands in both corpora, within a head of each direction.
struct MalformedPart: Sendable {
    let name: String
    let marked: String
    let kinds: [Violation.Kind]
    let limit: Limit?
    /// Whether the peer leaves after the last byte.
    let thenEnds: Bool

    /// A limit that both directions have.
    enum Limit: Sendable {
        case content(Int), chunkLine(Int), trailers(Int), fieldLine(Int), fieldCount(Int)
    }

    init(
        _ name: String, _ marked: String, _ kinds: Violation.Kind..., limit: Limit? = nil, thenEnds: Bool = false
    ) {
        self.name = name
        self.marked = marked
        self.kinds = kinds
        self.limit = limit
        self.thenEnds = thenEnds
    }
}

extension RequestLimits {
    init(_ limit: MalformedPart.Limit?) {
        self.init()
        switch limit {
        case .content(let most): bodyByteCount = most
        case .chunkLine(let most): chunkLineByteCount = most
        case .trailers(let most): trailerByteCount = most
        case .fieldLine(let most): fieldLineByteCount = most
        case .fieldCount(let most): fieldCount = most
        case nil: break
        }
    }
}

extension ReplyLimits {
    init(_ limit: MalformedPart.Limit?) {
        self.init()
        switch limit {
        case .content(let most): bodyByteCount = most
        case .chunkLine(let most): chunkLineByteCount = most
        case .trailers(let most): trailerByteCount = most
        case .fieldLine(let most): fieldLineByteCount = most
        case .fieldCount(let most): fieldCount = most
        case nil: break
        }
    }
}
