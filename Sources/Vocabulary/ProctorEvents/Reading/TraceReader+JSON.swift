import ProctorBase

extension TraceReader {
    /// Keys of an event line; the number is the index in the table.
    enum Key: Int, CaseIterable {
        case seq, ns, ms, lane, task, object, ev, arg, phase, queue, thread, family, facts

        static let table = ByteTable(allCases.map { "\($0)" })
    }

    /// Reads one event; nil for a method without an event.
    mutating func jsonEvent(_ line: borrowing Span<UInt8>, from start: Int) throws(LineFault) -> TraceEvent? {
        var said = EventLine()
        var cursor = JSONCursor(offset: start)
        var laneOffset = start
        var nameOffset = start
        var argumentOffset = start
        var isHeader = false
        try cursor.open(UInt8(ascii: "{"), line, "an event as an object of JSON")
        while let key = try cursor.key(line) {
            guard let key = find(key, in: Key.table, line).flatMap({ Key(rawValue: $0) }) else {
                if find(key, in: Self.headerMark, line) != nil { isHeader = true }
                try cursor.skipValue(line)
                continue
            }
            switch key {
            case .seq: said.sequence = try count(&cursor, line, key: "seq")
            case .ns: said.time = try nanoseconds(&cursor, line)
            case .ms: said.time = try milliseconds(&cursor, line, unless: said.time)
            case .lane:
                laneOffset = cursor.offset
                try lane(&cursor, line, into: &said)
            case .task: said.task = try count(&cursor, line, key: "task")
            case .object: said.object = try optionalCount(&cursor, line, key: "object")
            case .ev:
                nameOffset = cursor.offset
                said.name = try name(&cursor, line)
            case .arg:
                argumentOffset = cursor.offset
                said.argument = try argument(&cursor, line)
            case .phase: said.phase = try phase(&cursor, line)
            case .queue: said.queue = try label(&cursor, line, wanted: "a text, the label of a queue")
            case .thread: said.thread = try label(&cursor, line, wanted: "a text, the label of a thread")
            case .family: said.family = try family(&cursor, line)
            // A header's are a list of names.
            case .facts where isHeader: try cursor.skipValue(line)
            case .facts: try facts(&cursor, line, into: &said.facts)
            }
        }
        cursor.skipBlanks(line)
        guard cursor.offset == line.count else { throw cursor.unexpected(line, "nothing behind the '}' of the event") }
        guard let name = said.name else {
            throw LineFault(
                start,
                isHeader
                    ? "a header stands only in the first line; a file holds one trace"
                    : "an event needs 'ev', the name of what happened")
        }
        let event = try finished(said, name, laneOffset: laneOffset, nameOffset: nameOffset)
        if isStrict, let event, let fault = Self.fault(ofArgument: event.argument, of: event.name) {
            throw LineFault(argumentOffset, fault)
        }
        return event
    }

    func find(_ text: JSONTextRange, in table: ByteTable, _ line: borrowing Span<UInt8>) -> Int? {
        guard text.hasEscapes else { return table.find(line, text.range) }
        let bytes = text.unescaped(line)
        return table.find(bytes.span, 0..<bytes.count)
    }

    mutating func string(_ text: JSONTextRange, _ line: borrowing Span<UInt8>) -> String {
        if text.hasEscapes { return String(decoding: text.unescaped(line), as: UTF8.self) }
        return cache.text(line, text.range)
    }

    // MARK: Values

    private func count(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, key: StaticString
    ) throws(LineFault) -> Int {
        let start = cursor.offset
        let number = try cursor.number(line, "a whole number")
        guard let value = number.integer, value >= 0 else {
            throw LineFault(start, "'\(key)' is a whole number from 0 to \(Int.max)")
        }
        return value
    }

    private func optionalCount(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, key: StaticString
    ) throws(LineFault) -> Int? {
        if try cursor.isNull(line) { return nil }
        return try count(&cursor, line, key: key)
    }

    private func nanoseconds(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> TraceEvent.Time {
        let start = cursor.offset
        let number = try cursor.number(line, "a whole number of nanoseconds")
        guard let value = number.unsigned else {
            throw LineFault(start, "'ns' is a whole number from 0 to \(UInt64.max); fractions are for 'ms'")
        }
        return isMonotonic ? .monotonic(value) : .elsewhere(Double(value) / 1e6)
    }

    private func milliseconds(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, unless other: TraceEvent.Time?
    ) throws(LineFault) -> TraceEvent.Time {
        let start = cursor.offset
        let number = try cursor.number(line, "a number of milliseconds")
        guard let value = number.double(line) else { throw LineFault(start, "the number of milliseconds is too large") }
        return other ?? .elsewhere(value)
    }

    private func lane(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, into said: inout EventLine
    ) throws(LineFault) {
        let start = cursor.offset
        let text = try cursor.text(line, "a text, the name of a lane")
        if let word = find(text, in: NameTables.lanes, line) {
            said.lane = NameTables.lane(at: word)
            return
        }
        // `task[1]`, as fixtures write it.
        let bytes = text.unescaped(line)
        if bytes.last == UInt8(ascii: "]"), let bracket = bytes.firstIndex(of: UInt8(ascii: "[")),
            let word = NameTables.lanes.find(bytes.span, 0..<bracket),
            let number = Self.smallNumber(bytes[(bracket + 1)..<(bytes.count - 1)])
        {
            let lane = NameTables.lane(at: word)
            said.lane = lane
            if lane.isOfObject { said.object = said.object ?? number } else { said.task = said.task ?? number }
            return
        }
        let name = String(decoding: bytes, as: UTF8.self)
        let nearest = NearestName.find(name, in: NameTables.laneNames.map(\.rawValue))
        throw LineFault(
            start,
            "there is no lane '\(EscapedText.escape(bytes, limit: 60))'; "
                + (nearest.map { "did you mean '\($0)'?" }
                    ?? "there are \(NameTables.laneNames.map(\.rawValue).joined(separator: ", "))"))
    }

    private static func smallNumber(_ digits: ArraySlice<UInt8>) -> Int? {
        guard 1...6 ~= digits.count else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            number = number * 10 + Int(digit &- 0x30)
        }
        return number
    }

    private mutating func name(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> EventLine.Name {
        let start = cursor.offset
        let text = try cursor.text(line, "a text, the name of an event")
        if let word = find(text, in: NameTables.events, line) { return .neutral(NameTables.eventNames[word]) }
        if let word = find(text, in: NameTables.methods, line) {
            return .method(NameTables.method(at: word), spelling: string(text, line))
        }
        let bytes = text.unescaped(line)
        comparedWordCount += 1
        let nearest =
            comparedWordCount <= Self.mostComparedWords
            ? MethodName.nearestName(to: String(decoding: bytes, as: UTF8.self)) : nil
        throw LineFault(
            start,
            "unknown event '\(EscapedText.escape(bytes, limit: 100))'; "
                + (nearest.map { "did you mean '\($0)'?" }
                    ?? "an event is a neutral name like 'response', or the name of a delegate method"))
    }

    private mutating func argument(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> EventLine.Argument {
        switch cursor.peek(line) {
        case UInt8(ascii: "\""): return .text(string(try cursor.text(line, "an argument"), line))
        case UInt8(ascii: "n"):
            try cursor.literal("null", line, "an argument: a text, a number or null")
            return .null
        default:
            let number = try cursor.number(line, "an argument: a text, a number or null")
            return .text(cache.text(line, number.start..<number.end))
        }
    }

    private func phase(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> TraceEvent.Phase {
        let start = cursor.offset
        let text = try cursor.text(line, "'enter' or 'exit'")
        switch find(text, in: Self.phases, line) {
        case 0: return .enter
        case 1: return .exit
        default: throw LineFault(start, "'phase' is 'enter' or 'exit'")
        }
    }

    private mutating func label(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, wanted: StaticString
    ) throws(LineFault) -> String? {
        if try cursor.isNull(line) { return nil }
        return string(try cursor.text(line, wanted), line)
    }

    private func family(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> CallbackFamily? {
        if try cursor.isNull(line) { return nil }
        let start = cursor.offset
        let text = try cursor.text(line, "a text, the name of a family")
        guard let word = find(text, in: NameTables.families, line) else {
            throw LineFault(
                start,
                "there is no family '\(EscapedText.escape(text.unescaped(line), limit: 20))'; there are "
                    + NameTables.familyNames.map(\.rawValue).joined(separator: ", "))
        }
        return NameTables.familyNames[word % NameTables.familyNames.count]
    }

    private mutating func facts(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, into facts: inout [EventFact]
    ) throws(LineFault) {
        if try cursor.isNull(line) { return }
        try cursor.open(UInt8(ascii: "{"), line, "an object of facts")
        facts.reserveCapacity(4)
        while let text = try cursor.key(line) {
            guard let word = find(text, in: NameTables.facts, line) else {
                if isStrict, let fault = Self.misspelling(ofFact: String(decoding: text.unescaped(line), as: UTF8.self))
                {
                    throw LineFault(text.range.lowerBound - 1, fault)
                }
                try cursor.skipValue(line)
                continue
            }
            let key = NameTables.factKeys[word]
            let start = cursor.offset
            if let value = try fact(&cursor, line, key: key) {
                if isStrict, let fault = Self.fault(of: value, as: key) { throw LineFault(start, fault) }
                facts.append(EventFact(key, value))
            }
        }
    }

    private mutating func fact(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, key: FactKey
    ) throws(LineFault) -> FactValue? {
        let start = cursor.offset
        switch cursor.peek(line) {
        case UInt8(ascii: "\""): return .text(string(try cursor.text(line, "a fact"), line))
        case UInt8(ascii: "t"):
            try cursor.literal("true", line, "a fact")
            return .flag(true)
        case UInt8(ascii: "f"):
            try cursor.literal("false", line, "a fact")
            return .flag(false)
        case UInt8(ascii: "n"):
            try cursor.literal("null", line, "a fact")
            return nil
        default:
            let number = try cursor.number(line, "a fact: a text, a whole number, true, false or null")
            guard let value = number.integer else {
                throw LineFault(start, "the fact '\(key.rawValue)' is a whole number from \(Int.min) to \(Int.max)")
            }
            return .integer(value)
        }
    }

    // MARK: The event

    private mutating func finished(
        _ line: consuming EventLine, _ name: EventLine.Name, laneOffset: Int, nameOffset: Int
    ) throws(LineFault) -> TraceEvent? {
        switch name {
        case .neutral(let name):
            let lane = line.lane ?? NameTables.usualLanes[name.ordinal]
            try check(name, isIn: lane, laneOffset: laneOffset, nameOffset: nameOffset)
            var argument = line.argument.text
            if argument == nil, NameTables.outcomes[name.ordinal] { argument = line.outcomeOfFacts }
            let (sequence, family) = (line.sequence, line.family)
            return placed(line.event(named: name, argument, lane: lane), sequence, said: family, method: nil)
        case .method(let method, let spelling):
            let lane = line.lane ?? method.lane
            guard let (name, argument) = resolved(&line, method, spelled: spelling) else { return nil }
            try check(name, isIn: lane, laneOffset: laneOffset, nameOffset: nameOffset)
            let (sequence, family) = (line.sequence, line.family)
            return placed(line.event(named: name, argument, lane: lane), sequence, said: family, method: method)
        }
    }

    private func check(
        _ name: EventName, isIn lane: Lane, laneOffset: Int, nameOffset: Int
    ) throws(LineFault) {
        guard NameTables.lanesOfEvents[name.ordinal] & NameTables.laneBit(lane) == 0 else { return }
        let lanes = NameTables.kinds[name.ordinal].lanes.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        throw LineFault(
            nameOffset, "'\(name.rawValue)' is no event of lane '\(lane.rawValue)'; it belongs to lane \(lanes)")
    }
}

extension JSONCursor {
    mutating func isNull(_ line: borrowing Span<UInt8>) throws(LineFault) -> Bool {
        guard peek(line) == UInt8(ascii: "n") else { return false }
        try literal("null", line, "a value")
        return true
    }
}
