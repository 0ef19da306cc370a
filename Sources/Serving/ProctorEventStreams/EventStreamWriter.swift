internal import ProctorHTTP
internal import ProctorScenario

extension Template {
    /// One line of JSON.
    var inEventData: [Part] {
        parts.map { part in
            if case .value(let value, .jsonValue) = part { .value(value, .jsonLine) } else { part }
        }
    }

    /// The lines of the text; a late-bound value may have more.
    var eventLines: [[Part]] {
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
struct EventStreamWriter {
    private let lineEnds: [[UInt8]]
    private(set) var pieces: [BodyPiece] = []
    private var parts: [Template.Part] = []
    private var lineCount = 0

    init(lineEnds: [[UInt8]] = [[0x0A]], hasMark: Bool = false) {
        self.lineEnds = lineEnds
        if hasMark { parts = [.literal([0xEF, 0xBB, 0xBF])] }
    }

    /// One field for each line; a comment has no name.
    mutating func addField(_ name: String, _ lines: [[Template.Part]]) {
        for line in lines { addLine([.literal(Array("\(name):\(line.isEmpty ? "" : " ")".utf8))] + line) }
    }

    mutating func addLine(_ line: [Template.Part]) {
        parts += line + [.literal(lineEnds[lineCount % lineEnds.count])]
        lineCount += 1
    }

    /// Behind what was written before.
    mutating func addPiece(_ piece: BodyPiece) {
        endPiece()
        pieces.append(piece)
    }

    mutating func endPiece() {
        if !parts.isEmpty { pieces.append(.bytes(ByteSource(Template(parts: parts)))) }
        parts = []
    }
}
