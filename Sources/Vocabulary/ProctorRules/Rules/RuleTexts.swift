import ProctorBase
import ProctorEvents

/// What a chapter of `callback-rules.txt` says of a rule.
///
/// Its lines are `key: text`; a line that begins with spaces goes on with the text above it, and one that begins with #
/// is a remark. A text that means nothing is a mistake of the program's, which ends it at the first use of the rules.
struct RuleTexts {
    private let name: String
    private var texts: [Substring: String] = [:]

    init(of name: String, in chapter: String) {
        self.name = name
        var key: Substring = ""
        for line in chapter.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            switch line.utf8.first {
            case UInt8(ascii: "#"): break
            case UInt8(ascii: " "): texts[key]? += line.dropFirst()
            default:
                let end = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
                key = line[..<end]
                texts[key] = String(line[end...].dropFirst(2))
            }
        }
    }

    subscript(key: Substring) -> String? { texts[key] }

    /// A text that every rule has.
    func text(_ key: Substring) -> String {
        texts[key] ?? { preconditionFailure("callback-rules.txt: \(name) has no '\(key)'") }()
    }

    /// What the words of a text stand for, which are parted by spaces; nothing where the rule has no such text.
    func words<Word>(_ key: Substring, _ read: (String) -> Word?) -> [Word] {
        (texts[key] ?? "").split(separator: " ").map { word in
            guard let value = read(String(word)) else {
                preconditionFailure("callback-rules.txt: \(name) says '\(word)' as '\(key)', which means nothing")
            }
            return value
        }
    }
}

extension Rule {
    init(_ number: RuleNumber, _ texts: RuleTexts, _ monitors: [Monitor]) {
        self.number = number
        self.monitors = monitors
        (title, statement, source) = (texts.text("title"), texts.text("statement"), texts.text("source"))
        (legal, illegal, limits) = (texts.text("legal"), texts.text("illegal"), texts["limits"])
        guard let confidence = texts.words("confidence", Confidence.init(rawValue:)).first else {
            preconditionFailure("callback-rules.txt: \(number) has no confidence")
        }
        self.confidence = confidence
        families = texts.words("families", CallbackFamily.init(rawValue:))
        breaksByMissingEvents = texts["breaks by missing events"] != nil
        judgesAnswersTo = texts.words("judges answers to", EventName.init(rawValue:)).first
        needs = Set(texts.words("needs", Evidence.init(rawValue:)))
        explains = Consequence.Place.allCases.flatMap { place in
            texts.words("explains \(place.rawValue)", RuleNumber.init(parsing:)).map {
                Consequence(rule: $0, place: place)
            }
        }
    }
}
