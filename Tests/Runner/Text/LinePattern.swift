/// A wanted line: `…` stands for any characters, `…name…` too and names them, so that later blocks can say `$(name)`.
struct LinePattern {
    private enum Piece { case text([Character]), any(String?) }

    private let pieces: [Piece]
    /// Whether the line stands for any number of lines.
    let isAnyLines: Bool

    init(_ line: String) {
        isAnyLines = line == "…"
        var pieces: [Piece] = []
        var rest = Array(line)[...]
        while let place = rest.firstIndex(of: "…") {
            if place > rest.startIndex { pieces.append(.text(Array(rest[..<place]))) }
            rest = rest[(place + 1)...]
            let name = rest.prefix { $0.isLetter && $0.isLowercase }
            if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "…" {
                pieces.append(.any(String(name)))
                rest = rest[(name.endIndex + 1)...]
            } else {
                pieces.append(.any(nil))
            }
        }
        if !rest.isEmpty { pieces.append(.text(Array(rest))) }
        self.pieces = pieces
    }

    func matches(_ line: String) -> Bool { captures(of: line) != nil }

    /// The named parts of a line that fits; nil for one that does not.
    func captures(of line: String) -> [String: String]? {
        if pieces.isEmpty { return line.isEmpty ? [:] : nil }
        return Self.match(pieces[...], Array(line)[...])
    }

    private static func match(_ pieces: ArraySlice<Piece>, _ text: ArraySlice<Character>) -> [String: String]? {
        guard let piece = pieces.first else { return text.isEmpty ? [:] : nil }
        switch piece {
        case .text(let wanted):
            return text.starts(with: wanted) ? match(pieces.dropFirst(), text.dropFirst(wanted.count)) : nil
        case .any(let name):
            for end in text.startIndex...text.endIndex {
                guard var found = match(pieces.dropFirst(), text[end...]) else { continue }
                if let name { found[name] = String(text[..<end]) }
                return found
            }
            return nil
        }
    }
}
