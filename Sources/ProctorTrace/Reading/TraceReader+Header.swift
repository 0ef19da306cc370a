import ProctorBase

/// The first line, where it is a header.
extension TraceReader {
    /// A key that only headers have.
    static let headerMark = ByteTable(["trace"])
    /// A key of the file that a trace is most easily taken for.
    private static let journalMark = ByteTable(["journal"])
    static let phases = ByteTable(["enter", "exit"])

    private enum HeaderKey: Int, CaseIterable {
        case trace, version, client, clientVersion, clock, unit, lanes, facts, scenario
        case caseName, run, abilities, adapter, adapterVersion

        static let table = ByteTable(allCases.map { $0 == .caseName ? "case" : "\($0)" })
    }

    /// Whether the line is a header; refuses a server's journal, and all that follows in it.
    mutating func isHeader(_ line: borrowing Span<UInt8>, from start: Int) throws(LineFault) -> Bool {
        var cursor = JSONCursor(offset: start)
        try cursor.open(UInt8(ascii: "{"), line, "an event as an object of JSON")
        var isFirst = true
        while let key = try cursor.key(line, isFirst: &isFirst) {
            if find(key, in: Self.headerMark, line) != nil { return true }
            if find(key, in: Self.journalMark, line) != nil {
                isRefused = true
                throw LineFault(start, "this is the journal of a server; expected the trace of a client")
            }
            try cursor.skipValue(line)
        }
        return false
    }

    mutating func readHeader(_ line: borrowing Span<UInt8>, from start: Int) throws(LineFault) -> TraceHeader {
        var header = TraceHeader()
        var version: Int?
        var cursor = JSONCursor(offset: start)
        try cursor.open(UInt8(ascii: "{"), line, "a header as an object of JSON")
        var isFirst = true
        while let key = try cursor.key(line, isFirst: &isFirst) {
            guard let key = find(key, in: HeaderKey.table, line).flatMap({ HeaderKey(rawValue: $0) }) else {
                try cursor.skipValue(line)
                continue
            }
            let valueStart = cursor.offset
            switch key {
            case .version: version = try readVersion(&cursor, line)
            case .lanes: header.lanes = try readLanes(&cursor, line)
            case .facts: header.facts = try readFacts(&cursor, line)
            case .trace:
                guard try headerText(&cursor, line) == "proctor" else {
                    throw LineFault(valueStart, "'trace' is 'proctor'; other traces can't be read")
                }
            case .unit:
                guard try headerText(&cursor, line) == "ns" else {
                    throw LineFault(valueStart, "'unit' is 'ns'; write milliseconds with the key 'ms' in each event")
                }
            case .clock: header.isMonotonic = try headerText(&cursor, line) == "monotonic"
            case .client: header.client = try headerText(&cursor, line)
            case .clientVersion: header.clientVersion = try headerText(&cursor, line)
            case .scenario: header.scenario = try headerText(&cursor, line)
            case .caseName: header.caseName = try headerText(&cursor, line)
            case .run: header.run = try headerText(&cursor, line)
            case .abilities: header.abilities = try readAbilities(&cursor, line)
            case .adapter: header.adapter = try headerText(&cursor, line)
            case .adapterVersion: header.adapterVersion = try headerText(&cursor, line)
            }
        }
        cursor.skipBlanks(line)
        guard cursor.offset == line.count else { throw cursor.unexpected(line, "nothing behind the '}' of the header") }
        guard version != nil else {
            throw LineFault(start, "a header needs 'version', which is \(TraceHeader.currentVersion)")
        }
        return header
    }

    private mutating func headerText(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> String {
        string(try cursor.text(line, "a text"), line)
    }

    private func readVersion(_ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>) throws(LineFault) -> Int {
        let start = cursor.offset
        let number = try cursor.number(line, "a version, which is a whole number")
        guard let version = number.integer, version >= 1 else {
            throw LineFault(start, "a version is a whole number from 1")
        }
        guard version <= TraceHeader.currentVersion else {
            throw LineFault(
                start,
                "version \(version) of the format is newer than \(TraceHeader.currentVersion), the highest that can be "
                    + "read here; update proctor, or record with an older client")
        }
        return version
    }

    /// Facts of later versions are passed over, as they are in events.
    private func readFacts(_ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>) throws(LineFault) -> [FactKey] {
        var facts: [FactKey] = []
        try cursor.open(UInt8(ascii: "["), line, "a list of facts")
        var isFirst = true
        while try cursor.element(line, isFirst: &isFirst) {
            let text = try cursor.text(line, "a text, the name of a fact")
            if let word = find(text, in: NameTables.facts, line) { facts.append(NameTables.factKeys[word]) }
        }
        return facts
    }

    /// A word that is misspelt would excuse the client from every case that needs the ability, so it is refused.
    private func readAbilities(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> Set<Ability> {
        var abilities: Set<Ability> = []
        try cursor.open(UInt8(ascii: "["), line, "a list of abilities")
        var isFirst = true
        while try cursor.element(line, isFirst: &isFirst) {
            let start = cursor.offset
            let text = try cursor.text(line, "a text, the name of an ability")
            guard let word = find(text, in: NameTables.abilities, line) else {
                let name = EscapedText.of(text.unescaped(line), limit: 60)
                let hint = NearestName.find(name, in: NameTables.abilityNames.map(\.rawValue))
                throw LineFault(
                    start,
                    "there is no ability '\(name)'; "
                        + (hint.map { "did you mean '\($0)'?" } ?? "Docs/adapters.md lists them"))
            }
            abilities.insert(NameTables.abilityNames[word])
        }
        return abilities
    }

    private func readLanes(_ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>) throws(LineFault) -> [Lane] {
        var lanes: [Lane] = []
        try cursor.open(UInt8(ascii: "["), line, "a list of lanes")
        var isFirst = true
        while try cursor.element(line, isFirst: &isFirst) {
            let start = cursor.offset
            let text = try cursor.text(line, "a text, the name of a lane")
            guard let word = find(text, in: NameTables.lanes, line) else {
                throw LineFault(
                    start,
                    "there is no lane '\(EscapedText.of(text.unescaped(line), limit: 60))'; there are "
                        + NameTables.laneNames.map(\.rawValue).joined(separator: ", "))
            }
            let lane = NameTables.lane(at: word)
            if !lanes.contains(lane) { lanes.append(lane) }
        }
        return lanes
    }
}
