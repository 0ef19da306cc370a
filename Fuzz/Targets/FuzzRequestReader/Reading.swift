import FuzzSupport
import ProctorHTTP

/// An event without reference to how the input was cut: content is bytes, and neighbouring pieces are one.
enum Seen: Equatable {
    case head(RequestHead)
    case content([UInt8])
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    case refused(Violation)
}

/// One way of reading a connection's bytes.
struct Reading {
    let limits: RequestLimits
    let endsWithFIN: Bool

    /// Feeds the pieces one after the other.
    func events(of pieces: [[UInt8]]) -> [Seen] {
        var reader = RequestReader(limits: limits)
        var seen: [Seen] = []
        for piece in pieces {
            var offset = 0
            while let event = reader.next(piece.span, at: &offset) {
                check(0...piece.count ~= offset, "offset \(offset) of \(piece.count)")
                add(event, of: piece, to: &seen)
            }
            check(offset == piece.count, "nil at \(offset) of \(piece.count)")
        }
        while endsWithFIN, let event = reader.end() { add(event, of: [], to: &seen) }
        return seen
    }

    private func add(_ event: RequestEvent, of piece: [UInt8], to seen: inout [Seen]) {
        switch event {
        case .head(let head): seen.append(.head(head))
        case .content(let range):
            check(!range.isEmpty && range.upperBound <= piece.count, "content \(range) of \(piece.count)")
            if case .content(let before)? = seen.last {
                seen[seen.count - 1] = .content(before + piece[range])
            } else {
                seen.append(.content(Array(piece[range])))
            }
        case .chunk(let byteCount, let extensions): seen.append(.chunk(byteCount: byteCount, extensions: extensions))
        case .trailers(let fields): seen.append(.trailers(fields))
        case .violation(let violation): seen.append(.violation(violation))
        case .end: seen.append(.end)
        case .refused(let violation): seen.append(.refused(violation))
        }
    }
}
