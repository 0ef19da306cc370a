/// Walks over pieces of content as if they were one run of bytes.
struct ContentWalk {
    let pieces: [ContentPiece]
    let byteCount: Int

    init(pieces: [ContentPiece]) {
        self.pieces = pieces
        byteCount = pieces.reduce(0) { $0 + $1.range.count }
    }

    /// A part of one piece.
    struct Part {
        /// Within the whole content.
        let range: Range<Int>
        let piece: ContentPiece

        func add(to list: inout StepList) {
            if case .bytes(let bytes) = piece.source {
                list.send(bytes[piece.range])
            } else {
                list.stream(piece.source, piece.range)
            }
        }
    }

    /// Visits the parts of `range` in order, cut at piece boundaries and at `stops`, which are sorted.
    func walk<Failure: Error>(
        _ range: Range<Int>, stops: [Int] = [], _ visit: (Part) throws(Failure) -> Void
    ) throws(Failure) {
        var pieceStart = 0
        var stops = stops[...]
        for piece in pieces {
            let pieceEnd = pieceStart + piece.range.count
            var position = max(range.lowerBound, pieceStart)
            let end = min(range.upperBound, pieceEnd)
            while position < end {
                while let stop = stops.first, stop <= position { stops.removeFirst() }
                let next = min(stops.first ?? end, end)
                let start = piece.range.lowerBound + (position - pieceStart)
                try visit(
                    Part(
                        range: position..<next,
                        piece: ContentPiece(piece.source, start..<start + (next - position))))
                position = next
            }
            pieceStart = pieceEnd
        }
    }

    /// The pieces of a part of the content.
    func pieces(of range: Range<Int>) -> [ContentPiece] {
        var found: [ContentPiece] = []
        walk(range) { found.append($0.piece) }
        return found
    }
}
