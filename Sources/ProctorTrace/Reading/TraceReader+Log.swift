import ProctorBase

/// Lines of a log that somebody's delegate wrote: NSLog, os_log or `print(#function)`.
extension TraceReader {
    /// Words that are compared with all names, at most: a file of nothing else must not take hours.
    static let mostComparedWords = 32

    /// The event of the method whose name stands in the line; nil when none does.
    mutating func plainEvent(_ line: borrowing Span<UInt8>, from start: Int) -> TraceEvent? {
        let log = LogLine(line.extracting(start..<line.count).array)
        var said = EventLine()
        said.time = log.time.map { .elsewhere($0) }
        said.thread = log.thread
        said.task = log.number(named: "task")
        said.object = log.number(named: "object")
        guard let found = log.method else { return answer(log, said) }
        let method = NameTables.method(at: found.spelling)
        LogArgument(log, behind: found.range.upperBound).tell(method, to: &said)
        let spelling = log.text(found.range)
        guard let (name, argument) = resolved(&said, method, spelling) else { return nil }
        return placed(said.event(named: name, argument, lane: method.lane), nil, said: nil, method: method)
    }

    /// The answer that a completion handler is given, in a line that names no method.
    private mutating func answer(_ log: LogLine, _ said: consuming EventLine) -> TraceEvent? {
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
