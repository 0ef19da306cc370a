import ProctorBase

/// The shortest text that a regular expression of a schema describes, as far as it is made of letters, classes, groups,
/// alternatives and repeats; nil for others, as those that look ahead.
///
/// ECMA-262 is the language of patterns (JSON Schema Core §6.4). Who uses a sample holds it against the pattern.
struct PatternSample {
    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    private static let deepest = 20
    private static let longest = 1_000

    private init(_ pattern: String) { rest = Array(pattern.unicodeScalars)[...] }

    static func text(of pattern: String) -> String? {
        var sample = PatternSample(pattern)
        guard let text = sample.alternatives(), sample.rest.isEmpty, text.utf8.count <= longest else { return nil }
        return text
    }

    /// The first of them.
    private mutating func alternatives() -> String? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest, let first = sequence() else { return nil }
        while rest.first == "|" {
            rest.removeFirst()
            guard sequence() != nil else { return nil }
        }
        return first
    }

    private mutating func sequence() -> String? {
        var text = ""
        while let next = rest.first, next != "|", next != ")" {
            guard let atom = atom(), let count = count() else { return nil }
            text += String(repeating: atom, count: count)
            guard text.utf8.count <= Self.longest else { return nil }
        }
        return text
    }

    /// One thing that may be repeated.
    private mutating func atom() -> String? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "^", "$": return ""
        case ".": return "a"
        case "\\": return escaped()
        case "[": return memberOfClass()
        case "(":
            if rest.first == "?" {
                rest.removeFirst()
                guard rest.popFirst() == ":" else { return nil }
            }
            guard let inner = alternatives(), rest.popFirst() == ")" else { return nil }
            return inner
        case "*", "+", "?", "{": return nil
        default: return String(Character(next))
        }
    }

    private mutating func escaped() -> String? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "d": return "1"
        case "w", "S", "D": return "a"
        case "s": return " "
        case "W": return "-"
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return ""
        case _ where next.isASCII && (UInt8(ascii: next).isASCIILetter || UInt8(ascii: next).isASCIIDigit): return nil
        default: return String(Character(next))
        }
    }

    /// The first letter of a class; of one that is negated, a letter or digit that it does not name.
    private mutating func memberOfClass() -> String? {
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var named: [ClosedRange<Unicode.Scalar>] = []
        while let next = rest.popFirst(), next != "]" || named.isEmpty {
            var first = next
            if next == "\\" {
                guard let text = escaped()?.unicodeScalars.first else { return nil }
                if isNegated, ["1", "a", " "].contains(text) { return text == "a" ? "-" : "a" }
                first = text
            }
            var last = first
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                last = end == "\\" ? rest.popFirst() ?? end : end
            }
            guard first <= last else { return nil }
            named.append(first...last)
            if rest.first == "]" {
                rest.removeFirst()
                break
            }
        }
        guard isNegated else { return named.first.map { String(Character($0.lowerBound)) } }
        let free = "a1Ab-_ ".unicodeScalars.first { letter in !named.contains { $0.contains(letter) } }
        return free.map { String(Character($0)) }
    }

    /// How often the atom before stands: as seldom as its quantifier permits.
    private mutating func count() -> Int? {
        var least = 1
        switch rest.first {
        case "*", "?":
            rest.removeFirst()
            least = 0
        case "+": rest.removeFirst()
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let inside = String(String.UnicodeScalarView(rest[rest.index(after: rest.startIndex)..<end]))
            guard let number = Int(inside.prefix { $0 != "," }), 0...Self.longest ~= number else { return nil }
            least = number
            rest = rest[rest.index(after: end)...]
        default: return 1
        }
        // Of a lazy quantifier.
        if rest.first == "?" { rest.removeFirst() }
        return least
    }
}
