import ProctorBase
import ProctorEvents

/// A chapter of a file of `CFiles/Tables`: what it says of a rule, or of the order of a family.
///
/// Its lines are `key: text`; a line that begins with two spaces goes on with the text above it, and one that begins with
/// # is a remark. A text that means nothing is a mistake of the program's, which ends it when the file is first used.
struct ChapterTexts {
    let name: String
    private let file: String
    private var texts: [Substring: String] = [:]

    /// The chapters of the file of that name, without its ending.
    static func all(of file: String) -> [ChapterTexts] {
        ContainedFile.chapters(of: "Tables/\(file).txt").map { ChapterTexts($0.name, of: file, in: $0.text) }
    }

    private init(_ name: String, of file: String, in chapter: String) {
        (self.name, self.file) = (name, file)
        var key: Substring = ""
        for line in chapter.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            switch line.utf8.first {
            case UInt8(ascii: "#"): break
            case UInt8(ascii: " "): texts[key]? += "\n\(line.dropFirst(2))"
            default:
                let end = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
                key = line[..<end]
                texts[key] = String(line[end...].dropFirst(2))
            }
        }
    }

    /// With its line ends.
    subscript(key: Substring) -> String? { texts[key] }

    /// A text that every chapter has, in one line.
    func line(_ key: Substring) -> String {
        lineIfAny(key) ?? { preconditionFailure("\(file).txt: \(name) has no '\(key)'") }()
    }

    func lineIfAny(_ key: Substring) -> String? { texts[key]?.replacing(text: "\n", with: " ") }

    /// What the one word of a text stands for that every chapter has.
    func word<Word>(_ key: Substring, _ read: (String) -> Word?) -> Word {
        words(key, read).first ?? { preconditionFailure("\(file).txt: \(name) has no '\(key)'") }()
    }

    /// What the words of a text stand for, which are parted by spaces; nothing where the chapter has no such text.
    func words<Word>(_ key: Substring, _ read: (String) -> Word?) -> [Word] {
        (lineIfAny(key) ?? "").split(separator: " ").map { word in
            guard let value = read(String(word)) else {
                preconditionFailure("\(file).txt: \(name) says '\(word)' as '\(key)', which means nothing")
            }
            return value
        }
    }
}
