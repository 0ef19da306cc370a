package import ProctorBase
package import ProctorDocument

/// Parses patterns: `{name}` and `*` are holes; `\` makes the next character literal.
package struct PatternParser {
    /// The most holes of a pattern, since each costs time for each request.
    package static let largestHoleCount = 16

    let sink: DiagnosticSink

    package init(sink: DiagnosticSink) { self.sink = sink }

    /// The pattern; nil after a diagnostic.
    ///
    /// `captures` has the names of the request so far, which must not repeat.
    package func parse(_ text: ScalarText, captures: inout [String]) -> BytePattern? {
        var parts: [BytePattern.Part] = []
        var literal: [UInt8] = []
        var index = text.range.lowerBound
        let end = text.range.upperBound
        func flush() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = []
        }
        while index < end {
            let byte = text.bytes[index]
            switch byte {
            case UInt8(ascii: "\\"):
                guard index + 1 < end, Self.isSpecial(text.bytes[index + 1]) else {
                    return sink.refuse(
                        text.location(index), "a backslash stands before *, {, } or another backslash only")
                }
                literal.append(text.bytes[index + 1])
                index += 2
            case UInt8(ascii: "*"):
                flush()
                if parts.last != .wildcard { parts.append(.wildcard) }
                index += 1
            case UInt8(ascii: "{"):
                flush()
                guard let name = self.name(text, from: index, to: end, captures: captures) else { return nil }
                captures.append(name)
                parts.append(.capture(name))
                index += name.utf8.count + 2
            case UInt8(ascii: "}"):
                return sink.refuse(text.location(index), "} without {", hint: "write \\} for the character itself")
            default:
                literal.append(byte)
                index += 1
            }
        }
        flush()
        guard parts.count(where: \.isHole) <= Self.largestHoleCount else {
            return sink.refuse(
                text.location(text.range.lowerBound), "a pattern has at most \(Self.largestHoleCount) holes")
        }
        return BytePattern(parts: parts)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == 0x5C || byte == 0x2A || byte == 0x7B || byte == 0x7D
    }

    private func name(_ text: ScalarText, from start: Int, to end: Int, captures: [String]) -> String? {
        if text.bytes[start..<end].starts(with: [0x7B, 0x7B]) {
            return sink.refuse(
                text.location(start), "late-bound text cannot stand in a pattern",
                hint: "write {name} to capture, * for anything, \\{ for the character itself")
        }
        guard let close = text.bytes[start..<end].firstIndex(of: UInt8(ascii: "}")) else {
            return sink.refuse(text.location(start), "{ without }", hint: "write \\{ for the character itself")
        }
        let name = text.text(start + 1..<close)
        guard name.isIdentifier else {
            return sink.refuse(
                text.location(start), "\(quoted(name)) cannot name a capture",
                hint: "use a letter, then letters, digits, '-' and '_'")
        }
        guard !captures.contains(name) else {
            return sink.refuse(text.location(start), "{\(name)} stands twice in this request")
        }
        return name
    }
}

extension String {
    /// Whether the text is a letter, then letters, digits, `-` and `_`; at most 64 bytes.
    package var isIdentifier: Bool {
        guard let first = utf8.first, first.isASCIILetter, utf8.count <= 64 else { return false }
        return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
    }
}

/// The text of a scalar as bytes, with the place of each byte for messages.
package struct ScalarText {
    package let node: Node
    package let bytes: [UInt8]
    /// The part of the text that is used; places are still those in the whole text.
    package var range: Range<Int>
    private let places: TextPlaces
    /// The file that has the text; nil: the node's own.
    private let path: String?

    /// `path` is that of the file that has the text, where the node only names it.
    package init(_ node: Node, _ text: String, ofFile path: String? = nil) {
        (self.node, self.path) = (node, path)
        places = TextPlaces(of: node)
        bytes = Array(text.utf8)
        range = 0..<bytes.count
    }

    package func location(_ offset: Int) -> SourceLocation {
        guard let path else { return places.location(at: offset) }
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return SourceLocation(
            file: path, line: before.count { $0 == 0x0A } + 1,
            column: offset - lineStart + 1)
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    package var text: String { text(range) }

    package func dropping(_ count: Int) -> ScalarText {
        var rest = self
        rest.range = min(range.lowerBound + count, range.upperBound)..<range.upperBound
        return rest
    }
}
