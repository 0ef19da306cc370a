internal import ProctorScenario

/// Walks over bound pieces of content as if they were one run of bytes.
struct ContentWalk {
    let pieces: [ByteSource]

    var byteCount: Int { pieces.reduce(0) { $0 + $1.boundByteCount } }

    /// A part of one piece.
    struct Part {
        /// Within the whole content.
        let range: Range<Int>
        let source: ByteSource
        /// Within the source.
        let sourceRange: Range<Int>

        func add(to list: inout StepList) {
            if case .literal(let bytes) = source {
                list.send(bytes[sourceRange])
            } else {
                list.stream(source, sourceRange)
            }
        }
    }

    /// Visits the parts of `range` in order, cut at piece boundaries and at `stops`, which are sorted.
    func walk(_ range: Range<Int>, stops: [Int], _ visit: (Part) -> Void) {
        var pieceStart = 0
        var stops = stops[...]
        for piece in pieces {
            let pieceEnd = pieceStart + piece.boundByteCount
            var position = max(range.lowerBound, pieceStart)
            let end = min(range.upperBound, pieceEnd)
            while position < end {
                while let stop = stops.first, stop <= position { stops.removeFirst() }
                let next = min(stops.first ?? end, end)
                visit(
                    Part(
                        range: position..<next, source: piece,
                        sourceRange: position - pieceStart..<next - pieceStart))
                position = next
            }
            pieceStart = pieceEnd
        }
    }
}
