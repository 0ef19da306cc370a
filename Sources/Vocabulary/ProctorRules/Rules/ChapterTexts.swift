import ProctorBase

/// A chapter of a file of `CFiles/Tables`: what it says of a rule, or of the order of a family.
///
/// Its lines are `key: text`; a line that begins with two spaces goes on with the text above it, and one that begins with
/// # is a remark. A text that means nothing is a mistake of the program's, which ends it when the file is first used.
struct ChapterTexts {
    let name: String
    private let file: String
    private var texts: [String: String] = [:]
    private var lastKey = ""

    private init(name: String, file: String) { (self.name, self.file) = (name, file) }

    private static let mark = Array("--- # ".utf8)

    /// The chapters of the file of that name, without its ending; the lines of a text are joined by `separator`.
    static func all(of file: String, joinedBy separator: String) -> [ChapterTexts] {
        var chapters: [ChapterTexts] = []
        // The bytes are compared, since many commands read the rules when they begin.
        for line in ContainedFile.bytes(of: "Tables/\(file).txt").split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: mark) {
                let name = String(decoding: line.dropFirst(mark.count), as: UTF8.self)
                chapters.append(ChapterTexts(name: name, file: file))
            } else {
                chapters[chapters.count - 1].read(line, separator)
            }
        }
        return chapters
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ separator: String) {
        switch line.first {
        case UInt8(ascii: "#"): break
        case UInt8(ascii: " "): texts[lastKey]? += separator + String(decoding: line.dropFirst(2), as: UTF8.self)
        default:
            let end = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            lastKey = String(decoding: line[..<end], as: UTF8.self)
            texts[lastKey] = String(decoding: line[end...].dropFirst(2), as: UTF8.self)
        }
    }

    subscript(key: String) -> String? { texts[key] }

    /// A text that every chapter has.
    func text(_ key: String) -> String {
        texts[key] ?? { preconditionFailure("\(file).txt: \(name) has no '\(key)'") }()
    }

    /// What the one word of a text stands for that every chapter has.
    func word<Word>(_ key: String, _ read: (String) -> Word?) -> Word {
        words(key, read).first ?? { preconditionFailure("\(file).txt: \(name) has no '\(key)'") }()
    }

    /// What the words of a text stand for, which are parted by spaces; nothing where the chapter has no such text.
    func words<Word>(_ key: String, _ read: (String) -> Word?) -> [Word] {
        (texts[key] ?? "").utf8.split(separator: UInt8(ascii: " ")).map { bytes in
            let word = String(Substring(bytes))
            guard let value = read(word) else {
                preconditionFailure("\(file).txt: \(name) says '\(word)' as '\(key)', which means nothing")
            }
            return value
        }
    }
}
