import ProctorBase

/// The first line of a trace file: whose trace it is, and what that client can report.
public struct TraceHeader: Sendable, Equatable {
    /// The client's name, as in the files of `clients/`.
    public var client: String?
    /// As the client says it.
    public var clientVersion: String?
    /// Whether `ns` is CLOCK_MONOTONIC, so that events can be placed among the server's.
    public var isMonotonic: Bool
    /// What this client is able to report; what a lane not listed here would have shown is unknown.
    public var lanes: [Lane]
    /// The facts that a `result` of this client can hold; nil: all, so that what is missing there was not there.
    public var facts: [FactKey]?
    /// What this client has; nil: everything that its lanes do not rule out.
    public var abilities: Set<Ability>?
    /// The adapter that drove the client, as ledgers name it; nil when it does not say.
    public var adapter: String?
    /// As the adapter says it.
    public var adapterVersion: String?
    /// The id of the scenario.
    public var scenario: String?
    /// The name of the case in it.
    public var caseName: String?
    /// The run on the server.
    public var run: String?

    /// The version of the format that this module writes, and the highest it reads.
    public static let currentVersion = 1

    /// All lanes, when nothing is known of them.
    public init(
        client: String? = nil, clientVersion: String? = nil, isMonotonic: Bool = true, lanes: [Lane] = Lane.allCases,
        facts: [FactKey]? = nil, abilities: Set<Ability>? = nil, adapter: String? = nil, adapterVersion: String? = nil,
        scenario: String? = nil, caseName: String? = nil, run: String? = nil
    ) {
        self.client = client
        self.clientVersion = clientVersion
        self.isMonotonic = isMonotonic
        self.lanes = lanes
        self.facts = facts
        self.abilities = abilities
        self.adapter = adapter
        self.adapterVersion = adapterVersion
        self.scenario = scenario
        self.caseName = caseName
        self.run = run
    }
}

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
