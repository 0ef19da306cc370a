import ProctorBase

/// Lines of a log that somebody's delegate wrote: NSLog, os_log or `print(#function)`.
extension TraceReader {
    /// Words that are compared with all names, at most: a file of nothing else must not take hours.
    static let mostComparedWords = 32

    /// The event of the method whose name stands in the line; nil when none does.
    mutating func plainEvent(_ line: borrowing Span<UInt8>, from start: Int) -> TraceEvent? {
        let log = LogLine(line.extracting(start..<line.count).array)
        guard let found = log.method else {
            compare(log)
            return nil
        }
        let method = NameTables.method(at: found.spelling)
        var said = EventLine()
        said.time = log.time.map { .elsewhere($0) }
        said.thread = log.thread
        said.task = log.number(named: "task")
        said.object = log.number(named: "object")
        LogArgument(log, behind: found.range.upperBound).tell(method, to: &said)
        let spelling = log.text(found.range)
        guard let (name, argument) = resolved(&said, method, spelling) else { return nil }
        return placed(said.event(named: name, argument, lane: method.lane), nil, said: nil, method: method)
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
