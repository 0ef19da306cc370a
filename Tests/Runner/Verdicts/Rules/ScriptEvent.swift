import ProctorBase
import ProctorEvents

/// One token of a ``RuleScript`` that is an event.
struct ScriptEvent {
    let name: EventName
    var argument: String?
    var facts: [EventFact] = []
    var queue: String?
    var thread: String?
    var phase = TraceEvent.Phase.enter
    var count = 1

    init(_ token: String) throws {
        var rest = Substring(token)
        if rest.hasPrefix("/") { phase = .exit }
        if rest.hasPrefix("/") || rest.hasPrefix("<") { rest = rest.dropFirst() }
        if let times = rest.lastIndex(of: "×") {
            let digits = rest[rest.index(after: times)...].prefix(while: \.isNumber)
            guard let count = Int(digits), count > 0 else {
                throw RuleScript.Mistake(description: "no count: \(token)")
            }
            self.count = count
            rest = rest[..<times] + rest[digits.endIndex...]
        }
        let word = rest.prefix { $0.isLetter || $0 == "." }
        guard let name = EventName(rawValue: String(word)) else {
            throw RuleScript.Mistake(description: "no event: \(token)")
        }
        self.name = name
        rest = rest.dropFirst(word.count)
        if rest.first == "(" {
            guard let end = rest.firstIndex(of: ")") else { throw RuleScript.Mistake(description: "no ')': \(token)") }
            argument = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "{" {
            guard let end = rest.lastIndex(of: "}") else { throw RuleScript.Mistake(description: "no '}': \(token)") }
            facts = try Self.facts(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "@" {
            let place = rest.dropFirst()
            if let slash = place.firstIndex(of: "/") {
                queue = slash == place.startIndex ? nil : String(place[..<slash])
                thread = String(place[place.index(after: slash)...])
            } else {
                thread = String(place)
            }
            rest = ""
        }
        guard rest.isEmpty else { throw RuleScript.Mistake(description: "'\(rest)' is left over in: \(token)") }
    }

    private static func facts(_ text: Substring) throws -> [EventFact] {
        var facts: [EventFact] = []
        var pair = ""
        var isQuoted = false
        for character in text + "," {
            if character == "\"" { isQuoted.toggle() }
            guard character == ",", !isQuoted else {
                pair.append(character)
                continue
            }
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if sides.count == 2, sides[0] == "of", case .text(let bytes) = value(sides[1]) {
                facts.append(EventFact(.bytes, .integer(bytes.utf8.count)))
                facts.append(EventFact(.crc32, .integer(Int(CRC32.checksum(of: bytes.utf8)))))
                pair = ""
                continue
            }
            guard sides.count == 2, let key = FactKey(rawValue: String(sides[0])) else {
                throw RuleScript.Mistake(description: "no fact: \(pair)")
            }
            facts.append(EventFact(key, value(sides[1])))
            pair = ""
        }
        return facts
    }

    private static func value(_ text: Substring) -> FactValue {
        if text.hasPrefix("\"") {
            let quoted = String(text.dropFirst().dropLast())
            let bytes = try? ByteText.bytes(inLine: quoted, line: 0)
            return .text(bytes.map { String(decoding: $0, as: UTF8.self) } ?? quoted)
        }
        if let number = Int(text) { return .integer(number) }
        switch text {
        case "true": return .flag(true)
        case "false": return .flag(false)
        default: return .text(String(text))
        }
    }
}
