import ProctorBase

/// A page of tests: rows under headings, and blocks before the first of them that belong to every row.
struct Page: Sendable {
    /// Path as it is given to a person, such as `Tests/Data/readers/request/host.md`.
    let path: String
    /// The folder below `Tests/Data` that decides who runs the page, such as `readers`.
    let kind: String
    let rows: [Row]
}

/// One test: a sentence, and fenced blocks.
struct Row: Sendable {
    /// The heading, with its section where it has one.
    let name: String
    let path: String
    /// The line of the heading, from 1.
    let line: Int
    /// Those of the page first, then those below the heading.
    let blocks: [Block]

    /// The first block of a name.
    func block(_ name: String) -> Block? { blocks.first { $0.name == name } }

    /// All blocks of a name, in order.
    func blocks(_ name: String) -> [Block] { blocks.filter { $0.name == name } }

    /// The text of the first block of a name.
    func text(_ name: String) throws(RowError) -> String {
        guard let block = block(name) else { throw RowError(line, "this row needs a block \"\(name)\"") }
        return block.text
    }
}

/// A fenced block; its first word is its name, the others say how it is meant.
struct Block: Sendable, Equatable {
    let name: String
    let words: [String]
    let text: String
    /// The line of the fence, from 1; its text begins on the next one.
    let line: Int

    /// Before the name may stand the language that an editor colours, as in `yaml scenario`.
    init(info: String, text: String, line: Int) {
        var words = info.split(separator: " ").map(String.init)
        if words.count > 1, ["yaml", "json", "http", "lua", "sh", "text", "xml"].contains(words[0]) {
            words.removeFirst()
        }
        name = words.first ?? ""
        self.words = Array(words.dropFirst())
        self.text = text
        self.line = line
    }

    /// What the text says in base64; nil where the word `base64` is not among the block's.
    func decodedBytes() throws -> [UInt8]? {
        words.contains("base64") ? try Base64Text.decode(Array(text.utf8)) : nil
    }

    /// Lines without their ends.
    var lines: [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    func has(_ word: String) -> Bool { words.contains(word) }

    /// What follows a word, as `2` follows `on` in `send on 2`.
    func value(of word: String) -> String? {
        guard let index = words.firstIndex(of: word), index + 1 < words.count else { return nil }
        return words[index + 1]
    }

    /// The number that follows a word; nil without the word.
    func number(of word: String) throws(RowError) -> Int? {
        guard has(word) else { return nil }
        guard let number = value(of: word).flatMap({ Int($0) }) else {
            throw RowError(line, "\"\(word)\" needs a number behind it")
        }
        return number
    }

    /// Refuses words that this block can't have.
    func allow(_ allowed: String...) throws(RowError) {
        for word in words where !allowed.contains(word) && Int(word) == nil {
            throw RowError(
                line,
                "a block \"\(name)\" does not know the word \"\(word)\"; it knows: \(allowed.joined(separator: ", "))")
        }
    }
}

/// A mistake in a page, and not in what it tests.
struct RowError: Error, CustomStringConvertible {
    let line: Int
    let description: String

    init(_ line: Int, _ description: String) {
        self.line = line
        self.description = description
    }
}
