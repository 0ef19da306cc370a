import ProctorBase
import ProctorEvents

/// Recursive descent over the bytes of an expression.
///
///     expr     = sequence ( { "|" sequence } | { "&" sequence } )
///     sequence = counted { counted }
///     counted  = atom [ "?" | "*" | "+" | "{" n [ "," [ m ] ] "}" ]
///     atom     = "(" expr ")" | "..." | name [ "(" arg { "|" arg } ")" ]
struct NotationParser {
    let text: String
    let bytes: [UInt8]
    let lane: Lane
    var offset = 0
    var syntax = NotationSyntax()
    private var depth = 0
    /// A name without arguments before spaces, and the parenthesis after them, for a message.
    private var spacedCall: (name: String, parenthesis: Int)?
    private var bareName: String?
    private var lastEnd = 0

    init(text: String, lane: Lane) {
        (self.text, self.lane) = (text, lane)
        bytes = Array(text.utf8.prefix(Notation.longestText + 1))
    }

    mutating func parse() throws(NotationError) -> NotationSyntax {
        guard bytes.count <= Notation.longestText else {
            throw error(at: 0, "the expression is longer than \(Notation.longestText) bytes")
        }
        skipSpace()
        guard offset < bytes.count else {
            throw error(at: 0, "the expression is empty; write which events must come, or leave the key out")
        }
        _ = try expression()
        syntax.forgetIndexes()
        guard offset == bytes.count else {
            throw error(at: offset, "')' closes no '('")
        }
        return syntax
    }

    // MARK: Operators

    private mutating func expression() throws(NotationError) -> Int {
        skipSpace()
        let start = offset
        var sides = [try sequence(after: nil)]
        var sign: UInt8?
        while let byte = peek, byte == UInt8(ascii: "|") || byte == UInt8(ascii: "&") {
            if let sign, sign != byte {
                throw error(
                    at: offset, "'|' and '&' stand on one level; put parentheses around the part that belongs together")
            }
            sign = byte
            offset += 1
            sides.append(try sequence(after: byte))
            if byte == UInt8(ascii: "&"), sides.count > Notation.widestInterleaving {
                throw error(at: offset, "'&' has more than \(Notation.widestInterleaving) sides")
            }
        }
        guard let sign else { return sides[0] }
        return syntax.add(sign == UInt8(ascii: "|") ? .choice(sides) : .shuffle(sides), start..<lastEnd)
    }

    private mutating func sequence(after sign: UInt8?) throws(NotationError) -> Int {
        skipSpace()
        let start = offset
        var items: [Int] = []
        while let byte = peek, !Self.endsSequence(byte) {
            items.append(try counted())
            skipSpace()
        }
        guard let first = items.first else { throw error(at: start, emptySequence(after: sign)) }
        return items.count == 1 ? first : syntax.add(.sequence(items), start..<lastEnd)
    }

    private func emptySequence(after sign: UInt8?) -> String {
        if let sign {
            return "nothing stands after '\(Unicode.Scalar(sign))'; write (a)? for what may be missing"
        }
        switch peek {
        case UInt8(ascii: ")"):
            return depth > 0 ? "nothing stands between the parentheses" : "')' closes no '('"
        case .some(let sign):
            return "nothing stands before '\(Unicode.Scalar(sign))'; write (a)? for what may be missing"
        case nil:
            return "'(' is not closed and nothing stands after it"
        }
    }

    // MARK: Counts

    private mutating func counted() throws(NotationError) -> Int {
        let start = offset
        let atom = try atom()
        lastEnd = offset
        skipSpace()
        guard let byte = peek, let count = try count(beginning: byte) else { return atom }
        let node = syntax.add(.repeated(atom, minimum: count.minimum, maximum: count.maximum), start..<offset)
        bareName = nil
        lastEnd = offset
        skipSpace()
        if let next = peek, Self.beginsCount(next) {
            throw error(
                at: offset,
                "a second count; one is enough, or write parentheses: (\(excerpt(start..<count.end)))\(Unicode.Scalar(next))"
            )
        }
        return node
    }

    private mutating func count(
        beginning byte: UInt8
    ) throws(NotationError) -> (minimum: Int, maximum: Int?, end: Int)? {
        switch byte {
        case UInt8(ascii: "?"):
            offset += 1
            return (0, 1, offset)
        case UInt8(ascii: "*"):
            offset += 1
            return (0, nil, offset)
        case UInt8(ascii: "+"):
            offset += 1
            return (1, nil, offset)
        case UInt8(ascii: "{"): return try bracedCount()
        default: return nil
        }
    }

    private mutating func bracedCount() throws(NotationError) -> (minimum: Int, maximum: Int?, end: Int) {
        let brace = offset
        offset += 1
        let (minimum, minimumAt) = try number(in: brace)
        var maximum: Int? = minimum
        var maximumAt = minimumAt
        skipSpace()
        if peek == UInt8(ascii: ",") {
            offset += 1
            skipSpace()
            if peek == UInt8(ascii: "}") {
                maximum = nil
            } else {
                (maximum, maximumAt) = try number(in: brace)
            }
        }
        skipSpace()
        guard peek == UInt8(ascii: "}") else {
            throw error(at: offset, "a count is written {n}, {n,} or {n,m}; here '}' is missing")
        }
        offset += 1
        if let maximum {
            guard maximum >= 1 else {
                throw error(
                    at: maximumAt,
                    "{\(minimum == 0 && maximumAt == minimumAt ? "0" : "0,0")} asks for nothing; the greatest number must be at least 1"
                )
            }
            guard minimum <= maximum else {
                throw error(at: minimumAt, "\(minimum) is greater than \(maximum); the smaller number stands first")
            }
        }
        return (minimum, maximum, offset)
    }

    private mutating func number(in brace: Int) throws(NotationError) -> (value: Int, offset: Int) {
        skipSpace()
        let start = offset
        var value = 0
        while let byte = peek, byte.isASCIIDigit {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            guard value <= Notation.largestCount else {
                throw error(at: start, "a count is at most \(Notation.largestCount)")
            }
            offset += 1
        }
        guard offset > start else {
            throw error(at: start, "a count is written {n}, {n,} or {n,m}; here a number is missing")
        }
        return (value, start)
    }

    // MARK: Atoms

    private mutating func atom() throws(NotationError) -> Int {
        guard let byte = peek else { throw error(at: offset, "an event is missing") }
        if byte == UInt8(ascii: "(") { return try group() }
        let hint = spacedCall
        spacedCall = nil
        if byte == UInt8(ascii: ".") { return try anything() }
        guard byte.isASCIILetter else {
            throw error(at: offset, "\(quotedCharacter()) begins no event" + Self.spaceHint(hint))
        }
        return try event(hint: hint)
    }

    private mutating func group() throws(NotationError) -> Int {
        let start = offset
        if let name = bareName, start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 {
            spacedCall = (name, start)
        } else {
            spacedCall = nil
        }
        bareName = nil
        guard depth < Notation.deepestNesting else {
            throw error(at: start, "more than \(Notation.deepestNesting) parentheses are open")
        }
        depth += 1
        offset += 1
        let inner = try expression()
        guard peek == UInt8(ascii: ")") else { throw error(at: start, "'(' is not closed") }
        depth -= 1
        offset += 1
        bareName = nil
        return syntax.widen(inner, to: start..<offset)
    }

    private mutating func anything() throws(NotationError) -> Int {
        let start = offset
        let name = takeName()
        bareName = nil
        guard name == "..." else { throw error(at: start, "'\(name)' is no event; '...' stands for any events") }
        return syntax.add(.anything, start..<offset)
    }

    private mutating func event(hint: (name: String, parenthesis: Int)?) throws(NotationError) -> Int {
        let start = offset
        let name = takeName()
        guard let kind = EventVocabulary.kind(named: name), kind.lanes.contains(lane) else {
            throw error(at: start, unknown(name) + Self.spaceHint(hint))
        }
        guard peek == UInt8(ascii: "(") else {
            bareName = name
            return syntax.add(NotationSymbol(name: name, arguments: []), start..<offset)
        }
        let arguments = try argumentList(of: kind)
        bareName = nil
        return syntax.add(NotationSymbol(name: name, arguments: arguments), start..<offset)
    }

    private mutating func takeName() -> String {
        let start = offset
        while let byte = peek, Self.isNameByte(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func unknown(_ name: String) -> String {
        if name.hasSuffix("..."), EventVocabulary.kind(named: String(name.dropLast(3))) != nil {
            return "unknown event '\(name)'; put a space before '...'"
        }
        if let kind = EventVocabulary.kind(named: name) {
            let lanes = kind.lanes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return "'\(name)' is no event of lane '\(lane.rawValue)'; it belongs to \(lanes)"
        }
        if let nearest = EventVocabulary.nearestName(to: name, in: lane) {
            return "unknown event '\(name)'; did you mean '\(nearest)'?"
        }
        if lane == .wire { return "unknown event '\(name)'; requests are written request(GET /path)" }
        let names = EventVocabulary.names(in: lane).joined(separator: " ")
        return "unknown event '\(name)'; lane '\(lane.rawValue)' has: \(names)"
    }

    private static func spaceHint(_ call: (name: String, parenthesis: Int)?) -> String {
        guard let call else { return "" }
        return "; to give '\(call.name)' an argument, write no space before its '('"
    }
}

extension NotationParser {
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "#"):
                while let byte = peek, byte != 0x0A { offset += 1 }
            default: return
            }
        }
    }

    mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    static func endsSequence(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "|") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: ")")
    }

    static func beginsCount(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "{")
    }

    func quotedCharacter() -> String {
        let rest = String(decoding: bytes[offset...].prefix(16), as: UTF8.self)
        guard let character = rest.first else { return "the end" }
        switch character {
        case "\n", "\r", "\r\n": return "a line end"
        case "'": return "\"'\""
        case _ where character.unicodeScalars.contains { $0.properties.generalCategory == .control }:
            return "the byte \(EscapedText.escape(character.utf8))"
        default: return "'\(character)'"
        }
    }

    /// Part of the text for a message, on one line and at most 40 bytes long.
    func excerpt(_ range: Range<Int>) -> String {
        Notation.excerpt(of: bytes[range])
    }

    func error(at place: Int, _ sentence: String) -> NotationError {
        NotationError(text: text, offset: place, sentence: sentence)
    }
}

extension Notation {
    /// A part of an expression for a message, at most 60 bytes; runs of white space and controls become one space.
    static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
        var shown: [UInt8] = []
        for byte in bytes {
            let isSpace = byte <= 0x20 || byte == 0x7F
            if isSpace, shown.last == 0x20 { continue }
            shown.append(isSpace ? 0x20 : byte)
            if shown.count > 60 { break }
        }
        guard shown.count > 60 else { return String(decoding: shown, as: UTF8.self) }
        shown.removeLast(3)
        while let last = shown.last, last & 0xC0 == 0x80 { shown.removeLast() }
        if let last = shown.last, last >= 0xC0 { shown.removeLast() }
        return String(decoding: shown, as: UTF8.self) + "…"
    }
}
