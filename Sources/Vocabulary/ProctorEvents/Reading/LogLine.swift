import ProctorBase

/// One line of a log for people, from its first byte that is no blank.
struct LogLine {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        var bytes = bytes
        while let last = bytes.last, last == 0x0D || last == 0x20 || last == 0x09 { bytes.removeLast() }
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// 0 outside of the line.
    func byte(at index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

    static func isWord(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    // MARK: Methods

    /// The first name of a method: its range and its number in the table of spellings.
    var method: (range: Range<Int>, spelling: Int)? {
        var index = 0
        while let word = selector(from: index) {
            if let method = call(word) ?? method(in: word) { return method }
            index = word.upperBound
        }
        return nil
    }

    /// The first word that has the form of a delegate method's name.
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

    /// The offset behind the `)` of `(_:task:didReceive:)`; nil where the parentheses hold something else.
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
                if let spelling = NameTables.methods.find(bytes.span, range) { return (range, spelling) }
            }
        }
        return nil
    }

    /// Other code uses words like `startLoading` too: they count only in brackets and at the end.
    private func bareMethod(_ word: Range<Int>) -> (range: Range<Int>, spelling: Int)? {
        guard word.upperBound == bytes.count || bytes[word.upperBound] == UInt8(ascii: "]"),
            let spelling = NameTables.methods.find(bytes.span, word)
        else { return nil }
        if NameTables.method(at: spelling).event == .pDeinit, word.lowerBound > 0 {
            guard text(0..<word.lowerBound).contains(text: "Protocol") else { return nil }
        }
        return (word, spelling)
    }

    // MARK: What stands beside

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

    /// The thread in `MyApp[123:456]`, as NSLog writes process and thread.
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

extension LogLine {
    /// Milliseconds since 1970, or since midnight where there is no date; nil where there is no time.
    ///
    /// Accepts `2026-11-20 10:00:00.123+0100`, with `T` and `Z` as well, and `10:00:00.123`, also in brackets.
    var time: Double? {
        var index = byte(at: 0) == UInt8(ascii: "[") ? 1 : 0
        var days = 0
        if let year = digits(4, at: index), byte(at: index + 4) == UInt8(ascii: "-"),
            let month = digits(2, at: index + 5), 1...12 ~= month, byte(at: index + 7) == UInt8(ascii: "-"),
            let day = digits(2, at: index + 8), 1...31 ~= day
        {
            let separator = byte(at: index + 10)
            guard separator == 0x20 || separator == UInt8(ascii: "T") else { return nil }
            days = Self.days(year: year, month: month, day: day)
            index += 11
        }
        guard let hour = digits(2, at: index), byte(at: index + 2) == UInt8(ascii: ":"),
            let minute = digits(2, at: index + 3), byte(at: index + 5) == UInt8(ascii: ":"),
            let second = digits(2, at: index + 6), hour < 24, minute < 60, second < 61
        else { return nil }
        index += 8
        var milliseconds = Double((days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000)
        if byte(at: index) == UInt8(ascii: ".") || byte(at: index) == UInt8(ascii: ",") {
            index += 1
            var unit = 100.0
            while byte(at: index).isASCIIDigit {
                milliseconds += Double(byte(at: index) - 0x30) * unit
                unit /= 10
                index += 1
            }
        }
        return milliseconds - Double(zone(at: index) * 60_000)
    }

    /// Minutes east of Greenwich; 0 where the line has no zone.
    private func zone(at index: Int) -> Int {
        let sign = byte(at: index)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(2, at: index + 1) else {
            return 0
        }
        let hasColon = byte(at: index + 3) == UInt8(ascii: ":")
        let minutes = hours * 60 + (digits(2, at: index + (hasColon ? 4 : 3)) ?? 0)
        return sign == UInt8(ascii: "-") ? -minutes : minutes
    }

    private func digits(_ count: Int, at index: Int) -> Int? {
        var value = 0
        for offset in 0..<count {
            let byte = byte(at: index + offset)
            guard byte.isASCIIDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// Days from 1970-01-01 in the Gregorian calendar; years begin in March, so that a leap day is the last day.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

/// Lines of a log that a delegate wrote: NSLog, os_log or `print(#function)`.
extension TraceReader {
    /// Words that are compared with all names: the bound keeps the reading of a large log fast.
    static let mostComparedWords = 32

    /// The event of the method whose name stands in the line; nil when none does.
    mutating func plainEvent(_ line: borrowing Span<UInt8>, from start: Int) -> TraceEvent? {
        let log = LogLine(line.extracting(start..<line.count).array)
        var said = EventLine()
        said.time = log.time.map { .elsewhere($0) }
        said.thread = log.thread
        said.task = log.number(named: "task")
        said.object = log.number(named: "object")
        guard let named = log.method else { return answerEvent(log, said) }
        let method = NameTables.method(at: named.spelling)
        LogArgument(log, behind: named.range.upperBound).addFacts(of: method, to: &said)
        let spelling = log.text(named.range)
        guard let (name, argument) = resolved(&said, method, spelled: spelling) else { return nil }
        return placed(said.event(named: name, argument, lane: method.lane), nil, said: nil, method: method)
    }

    /// The answer to a completion handler, in a line that names no method.
    private mutating func answerEvent(_ log: LogLine, _ said: consuming EventLine) -> TraceEvent? {
        guard let word = LogArgument(log, behind: 0).disposition else {
            compare(log)
            return nil
        }
        said.facts.append(EventFact(.to, .text(EventName.challenge.rawValue)))
        return placed(said.event(named: .answer, word, lane: .harness), nil, said: nil, method: nil)
    }

    private mutating func compare(_ log: LogLine) {
        guard misspelling == nil, comparedWordCount < Self.mostComparedWords, let range = log.wordLikeAMethod else {
            return
        }
        comparedWordCount += 1
        let word = log.text(range)
        guard let nearest = MethodName.nearestName(to: word) else { return }
        misspelling = Misspelling(line: lineCount, word: word, nearest: nearest)
    }
}
