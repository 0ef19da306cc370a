import ProctorBase

/// One line that was written for people, from its first byte that is no blank.
struct LogLine {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        var bytes = bytes
        while let last = bytes.last, last == 0x0D || last == 0x20 || last == 0x09 { bytes.removeLast() }
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// What stands there, 0 outside the line.
    func byte(at index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

    static func isWord(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    // MARK: Methods

    /// The first name of a method, as its place and its number in the table of spellings.
    var method: (range: Range<Int>, spelling: Int)? {
        var index = 0
        while let word = selector(from: index) {
            if let found = call(word) ?? method(in: word) { return found }
            index = word.upperBound
        }
        return nil
    }

    /// The first word that is built like a method's name of these protocols.
    var wordLikeAMethod: Range<Int>? {
        var index = 0
        while let word = selector(from: index) {
            index = word.upperBound
            let range = labels(behind: word).map { word.lowerBound..<$0 } ?? word
            guard range.count > word.count || bytes[word].contains(UInt8(ascii: ":")) else { continue }
            let start = text(range.lowerBound..<min(range.lowerBound + 12, range.upperBound)).lowercased()
            if ["connection", "download", "urlsession", "urlprotocol"].contains(where: start.hasPrefix) {
                return range
            }
        }
        return nil
    }

    /// The next run of letters, digits and colons that begins with a letter.
    private func selector(from index: Int) -> Range<Int>? {
        var start = index
        while start < bytes.count, !bytes[start].isASCIILetter || (start > 0 && Self.isWord(bytes[start - 1])) {
            start += 1
        }
        guard start < bytes.count else { return nil }
        var end = start
        while end < bytes.count, Self.isWord(bytes[end]) || bytes[end] == UInt8(ascii: ":") { end += 1 }
        return start..<end
    }

    /// Behind the `)` of `(_:task:didReceive:)`; nil where something else stands in the parentheses.
    private func labels(behind word: Range<Int>) -> Int? {
        guard byte(at: word.upperBound) == UInt8(ascii: "(") else { return nil }
        var end = word.upperBound + 1
        while Self.isWord(byte(at: end)) || byte(at: end) == UInt8(ascii: ":") { end += 1 }
        return byte(at: end) == UInt8(ascii: ")") ? end + 1 : nil
    }

    private func call(_ word: Range<Int>) -> (range: Range<Int>, spelling: Int)? {
        guard let end = labels(behind: word) else { return nil }
        let range = word.lowerBound..<end
        return NameTables.methods.find(bytes.span, range).map { (range, $0) }
    }

    /// The longest selector from the earliest colon on: labels may stand before it and arguments behind it.
    private func method(in word: Range<Int>) -> (range: Range<Int>, spelling: Int)? {
        let colons = word.filter { bytes[$0] == UInt8(ascii: ":") }.prefix(12)
        guard !colons.isEmpty else { return bareMethod(word) }
        for start in [word.lowerBound] + colons.map({ $0 + 1 }) {
            for end in colons.reversed() where end >= start {
                let range = start..<(end + 1)
                if let found = NameTables.methods.find(bytes.span, range) { return (range, found) }
            }
        }
        return nil
    }

    /// `startLoading` and the like are words of other people too: they count in brackets and at the end.
    private func bareMethod(_ word: Range<Int>) -> (range: Range<Int>, spelling: Int)? {
        guard word.upperBound == bytes.count || bytes[word.upperBound] == UInt8(ascii: "]"),
            let found = NameTables.methods.find(bytes.span, word)
        else { return nil }
        if NameTables.method(at: found).event == .pDeinit, word.lowerBound > 0 {
            guard text(0..<word.lowerBound).contains("Protocol") else { return nil }
        }
        return (word, found)
    }

    // MARK: What stands beside

    /// The number behind `name=`, anywhere.
    func number(named name: StaticString) -> Int? {
        let wanted = name.withUTF8Buffer { unsafe Array($0) } + [UInt8(ascii: "=")]
        var index = 0
        while index + wanted.count < bytes.count {
            if bytes[index] == wanted[0], bytes[index..<(index + wanted.count)].elementsEqual(wanted),
                !Self.isWord(byte(at: index - 1))
            {
                let digits = bytes[(index + wanted.count)...].prefix { $0.isASCIIDigit }
                return 1...9 ~= digits.count ? Int(String(decoding: digits, as: UTF8.self)) : nil
            }
            index += 1
        }
        return nil
    }

    /// Of `MyApp[123:456]`, as NSLog writes process and thread.
    var thread: String? {
        for open in bytes.indices where bytes[open] == UInt8(ascii: "[") && Self.isWord(byte(at: open - 1)) {
            let process = bytes[(open + 1)...].prefix { $0.isASCIIDigit }
            guard !process.isEmpty, byte(at: process.endIndex) == UInt8(ascii: ":") else { continue }
            let thread = bytes[(process.endIndex + 1)...].prefix { $0.hexadecimalValue != nil }
            guard 1...16 ~= thread.count, byte(at: thread.endIndex) == UInt8(ascii: "]") else { continue }
            return String(decoding: thread, as: UTF8.self)
        }
        return nil
    }
}
