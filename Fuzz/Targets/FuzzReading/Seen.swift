import FuzzSupport
public import ProctorHTTP

/// An event without reference to how the input was cut: content is bytes, and neighbouring pieces are one.
public enum Seen<Head: Equatable>: Equatable {
    case head(Head)
    case content([UInt8])
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    /// A fatal violation, of either reader.
    case refused(Violation)
}

/// An event as a reader gave it.
public enum Given<Head: Equatable> {
    /// A range of the piece handed in.
    case content(Range<Int>)
    case other(Seen<Head>)
}

extension [[UInt8]] {
    /// Feeds the pieces one after the other to `next`, then asks `end` where the peer leaves.
    public func events<Head>(
        next: (Span<UInt8>, inout Int) -> Given<Head>?, end: () -> Given<Head>?, endsWithFIN: Bool
    ) -> [Seen<Head>] {
        var seen: [Seen<Head>] = []
        for piece in self {
            var offset = 0
            while let event = next(piece.span, &offset) {
                check(0...piece.count ~= offset, "offset \(offset) of \(piece.count)")
                add(event, of: piece, to: &seen)
            }
            check(offset == piece.count, "nil at \(offset) of \(piece.count)")
        }
        while endsWithFIN, let event = end() { add(event, of: [], to: &seen) }
        return seen
    }

    private func add<Head>(_ event: Given<Head>, of piece: [UInt8], to seen: inout [Seen<Head>]) {
        switch event {
        case .content(let range):
            check(!range.isEmpty && range.upperBound <= piece.count, "content \(range) of \(piece.count)")
            if case .content(let before)? = seen.last {
                seen[seen.count - 1] = .content(before + piece[range])
            } else {
                seen.append(.content([UInt8](piece[range])))
            }
        case .other(let event): seen.append(event)
        }
    }
}
