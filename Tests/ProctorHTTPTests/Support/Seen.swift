import ProctorHTTP

/// An event without reference to how the input was cut: content is bytes, and neighbouring pieces are one.
enum Seen<Head: Equatable & Sendable>: Equatable {
    case head(Head)
    case content([UInt8])
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    case refused(Violation)
}

/// Heads of both directions hold what was found in them.
protocol ReadHead {
    var violations: [Violation] { get }
}

extension RequestHead: ReadHead {}
extension ReplyHead: ReadHead {}

extension Seen {
    var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

extension Seen where Head: ReadHead {
    /// Those of a head, and those that came on their own.
    var violations: [Violation] {
        switch self {
        case .head(let head): head.violations
        case .violation(let violation), .refused(let violation): [violation]
        case .content, .chunk, .trailers, .end: []
        }
    }
}

extension Sequence {
    func heads<Head>() -> [Head] where Element == Seen<Head> {
        compactMap { seen -> Head? in if case .head(let head) = seen { head } else { nil } }
    }

    func content<Head>() -> [UInt8] where Element == Seen<Head> {
        flatMap { seen -> [UInt8] in if case .content(let piece) = seen { piece } else { [] } }
    }

    /// Those of the first section, else none.
    func trailers<Head>() -> FieldSection where Element == Seen<Head> {
        for case .trailers(let fields) in self { return fields }
        return FieldSection()
    }
}
