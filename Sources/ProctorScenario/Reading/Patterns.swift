import ProctorBase
import ProctorDocument

/// Reads a pattern: `{name}` and `*` are holes, `\` takes the meaning from the character after it.
struct PatternParser {
    /// Each costs time when a request is matched.
    static let largestHoleCount = 16

    let sink: DiagnosticSink

    /// nil after a diagnostic; `captures` holds the names of the request so far, which must not repeat.
    func parse(_ text: ScalarText, captures: inout [String]) -> BytePattern? {
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
                    sink.report(text.location(index), "a backslash stands before *, {, } or another backslash only")
                    return nil
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
                sink.report(text.location(index), "} without {", hint: "write \\} for the character itself")
                return nil
            default:
                literal.append(byte)
                index += 1
            }
        }
        flush()
        guard parts.count(where: \.isHole) <= Self.largestHoleCount else {
            sink.report(text.location(text.range.lowerBound), "a pattern has at most \(Self.largestHoleCount) holes")
            return nil
        }
        return BytePattern(parts: parts)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == 0x5C || byte == 0x2A || byte == 0x7B || byte == 0x7D
    }

    private func name(_ text: ScalarText, from start: Int, to end: Int, captures: [String]) -> String? {
        if text.bytes[start..<end].starts(with: [0x7B, 0x7B]) {
            sink.report(
                text.location(start), "late-bound text cannot stand in a pattern",
                hint: "write {name} to capture, * for anything, \\{ for the character itself")
            return nil
        }
        guard let close = text.bytes[start..<end].firstIndex(of: UInt8(ascii: "}")) else {
            sink.report(text.location(start), "{ without }", hint: "write \\{ for the character itself")
            return nil
        }
        let name = text.text(start + 1..<close)
        guard name.isIdentifier else {
            sink.report(
                text.location(start), "\(quoted(name)) cannot name a capture",
                hint: "use a letter, then letters, digits, '-' and '_'")
            return nil
        }
        guard !captures.contains(name) else {
            sink.report(text.location(start), "{\(name)} stands twice in this request")
            return nil
        }
        return name
    }
}

extension BytePattern.Part {
    /// Whether it stands for more than itself.
    var isHole: Bool {
        if case .literal = self { return false }
        return true
    }
}

extension String {
    /// A letter, then letters, digits, `-` and `_`; at most 64.
    var isIdentifier: Bool {
        guard let first = utf8.first, first.isASCIILetter, utf8.count <= 64 else { return false }
        return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
    }
}

/// A scalar's text as bytes, with a place in it for messages.
struct ScalarText {
    let node: Node
    let bytes: [UInt8]
    /// A part of the text, so that places stay those of the whole.
    var range: Range<Int>

    init(_ node: Node, _ text: String) {
        self.node = node
        bytes = Array(text.utf8)
        range = 0..<bytes.count
    }

    /// The place in the file of a byte of the text.
    func location(_ offset: Int) -> SourceLocation { node.location(ofTextOffset: offset) }

    /// A part of the part as text.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The part as text.
    var text: String { text(range) }

    /// The rest after `count` bytes.
    func dropping(_ count: Int) -> ScalarText {
        var rest = self
        rest.range = min(range.lowerBound + count, range.upperBound)..<range.upperBound
        return rest
    }
}
