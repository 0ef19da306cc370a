internal import ProctorHTTP

extension Template {
    /// One line of JSON.
    package var inEventData: [Part] {
        parts.map { part in
            if case .value(let value, .jsonValue) = part { .value(value, .jsonLine) } else { part }
        }
    }

    /// The lines of the text; a late-bound value may have more.
    package var eventLines: [[Part]] {
        var lines: [[Part]] = [[]]
        for part in parts {
            switch part {
            case .literal(let bytes):
                let pieces = EventData.lines(of: bytes)
                for (index, piece) in pieces.enumerated() {
                    if index > 0 { lines.append([]) }
                    if !piece.isEmpty { lines[lines.count - 1].append(.literal(piece)) }
                }
            case .capture(let name): lines[lines.count - 1].append(.value(.capture(name), .eventData))
            case .value(let value, _): lines[lines.count - 1].append(.value(value, .eventData))
            case .base, .origin, .authority, .host, .port, .now: lines[lines.count - 1].append(part)
            }
        }
        return lines
    }
}

/// Collects the pieces of an event stream.
package struct EventStreamWriter {
    private let lineEnds: [[UInt8]]
    package private(set) var pieces: [BodyPiece] = []
    private var parts: [Template.Part] = []
    private var lineCount = 0

    package init(lineEnds: [[UInt8]] = [[0x0A]], hasMark: Bool = false) {
        self.lineEnds = lineEnds
        if hasMark { parts = [.literal([0xEF, 0xBB, 0xBF])] }
    }

    /// One field for each line; a comment has no name.
    package mutating func addField(_ name: String, _ lines: [[Template.Part]]) {
        for line in lines { addLine([.literal(Array("\(name):\(line.isEmpty ? "" : " ")".utf8))] + line) }
    }

    package mutating func addLine(_ line: [Template.Part]) {
        parts += line + [.literal(lineEnds[lineCount % lineEnds.count])]
        lineCount += 1
    }

    /// Behind what was written before.
    package mutating func addPiece(_ piece: BodyPiece) {
        endPiece()
        pieces.append(piece)
    }

    package mutating func endPiece() {
        if !parts.isEmpty { pieces.append(.bytes(ByteSource(Template(parts: parts)))) }
        parts = []
    }
}
