/// The words of a command line that no shell reads: parted at blanks, and kept together by quotation marks and
/// backslashes as a POSIX shell keeps them (XCU §2.2).
package enum TemplateWords {
    /// The words of a line in which brackets mean nothing, as the command of an adapter.
    package static func plain(_ line: String) throws(CommandTemplate.Mistake) -> [String] {
        try split(line, remedy: "sh -c '…'").map { word in
            "\(word.opens ? "[" : "")\(word.text)\(word.closes ? "]" : "")"
        }
    }

    struct Word {
        var text = ""
        /// Whether a bracket outside of quotation marks stands before the word.
        var opens = false
        /// Whether one stands behind it.
        var closes = false
    }

    /// `remedy` is what the author writes for a command that needs a shell; nil: what a template does.
    static func split(_ line: String, remedy: String? = nil) throws(CommandTemplate.Mistake) -> [Word] {
        var words: [Word] = []
        var word: Word?
        /// Where in the word's text a bracket outside of quotation marks stands last.
        var bracketEnd: Int?
        func finish() {
            guard var ended = word else { return }
            if bracketEnd == ended.text.count, ended.text.last == "]" {
                ended.text.removeLast()
                ended.closes = true
            }
            words.append(ended)
            (word, bracketEnd) = (nil, nil)
        }
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n", "\r", "\r\n": finish()
            case "'", "\"":
                word = word ?? Word()
                let isPlain = character == "'"
                var isClosed = false
                while let inner = rest.popFirst() {
                    if inner == character {
                        isClosed = true
                        break
                    }
                    if !isPlain, inner == "\\", let next = rest.first, "\"\\$`".contains(next) {
                        word?.text.append(rest.removeFirst())
                    } else {
                        word?.text.append(inner)
                    }
                }
                guard isClosed else { throw CommandTemplate.Mistake("a quotation mark \(character) is not closed") }
            case "\\":
                guard let next = rest.popFirst() else {
                    throw CommandTemplate.Mistake("nothing stands behind the backslash at the end")
                }
                word = word ?? Word()
                word?.text.append(next)
            case "|", "&", ";", "<", ">":
                throw CommandTemplate.Mistake(
                    "no shell reads the command, and '\(character)' is one's; quote it where the command is to have it, or write "
                        + (remedy ?? "sh -c '… \"$1\" \(character) …' sh {url}"))
            case "[" where word == nil: word = Word(opens: true)
            default:
                word = word ?? Word()
                word?.text.append(character)
                if character == "]" { bracketEnd = word?.text.count }
            }
        }
        finish()
        return words
    }
}
