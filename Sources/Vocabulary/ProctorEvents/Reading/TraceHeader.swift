import ProctorBase

/// The first line of a trace file: the client's name, and what the client can report.
public struct TraceHeader: Sendable, Equatable {
    /// The client's name, as in the files of `clients/`.
    public var client: String?
    /// The client's version, as the client writes it.
    public var clientVersion: String?
    /// Whether `ns` is CLOCK_MONOTONIC, so that events can be placed among the server's.
    public var isMonotonic: Bool
    /// The lanes that this client can report; events of other lanes are unknown.
    public var lanes: [Lane]
    /// The facts that a `result` of this client can hold; nil means all, so that a missing fact is absent.
    public var facts: [FactKey]?
    /// The client's abilities; nil means all that its lanes do not exclude.
    public var abilities: Set<Ability>?
    /// The name of the client's adapter, as ledgers write it; nil when the header does not say.
    public var adapter: String?
    /// The adapter's version, as the adapter writes it.
    public var adapterVersion: String?
    /// The id of the scenario.
    public var scenario: String?
    /// The name of the case in that scenario.
    public var caseName: String?
    /// The id of the run on the server.
    public var run: String?

    /// The version of the format that this module writes, and the highest it reads.
    package static let currentVersion = 1

    /// Values that are left out are unknown; without `lanes` the client reports all of them.
    public init(
        client: String? = nil, clientVersion: String? = nil, isMonotonic: Bool = true, lanes: [Lane] = Lane.allCases,
        facts: [FactKey]? = nil, abilities: Set<Ability>? = nil, adapter: String? = nil, adapterVersion: String? = nil,
        scenario: String? = nil, caseName: String? = nil, run: String? = nil
    ) {
        (self.client, self.clientVersion, self.isMonotonic, self.lanes) = (client, clientVersion, isMonotonic, lanes)
        (self.facts, self.abilities, self.adapter, self.adapterVersion) = (facts, abilities, adapter, adapterVersion)
        (self.scenario, self.caseName, self.run) = (scenario, caseName, run)
    }
}

extension TraceReader {
    static let headerMark = ByteTable(["trace"])
    /// A key of server journals, which users may confuse with traces.
    private static let journalMark = ByteTable(["journal"])
    static let phases = ByteTable(["enter", "exit"])

    private enum HeaderKey: Int, CaseIterable {
        case trace, version, client, clientVersion, clock, unit, lanes, facts, scenario
        case caseName, run, abilities, adapter, adapterVersion

        static let table = ByteTable(allCases.map { $0 == .caseName ? "case" : "\($0)" })
    }

    /// Whether the line is a header; refuses a server's journal with all its lines.
    mutating func isHeader(_ line: borrowing Span<UInt8>, from start: Int) throws(LineFault) -> Bool {
        var cursor = JSONCursor(offset: start)
        try cursor.open(UInt8(ascii: "{"), line, "an event as an object of JSON")
        while let key = try cursor.key(line) {
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
        while let key = try cursor.key(line) {
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

    /// The numbers of a list's words in their table; `unknown` is the error for another word, or nil to ignore the
    /// word.
    private func readWords(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, in table: ByteTable, list: StaticString,
        word: StaticString, unknown: (String) -> String?
    ) throws(LineFault) -> [Int] {
        var words: [Int] = []
        try cursor.open(UInt8(ascii: "["), line, list)
        while try cursor.element(line) {
            let start = cursor.offset
            let text = try cursor.text(line, word)
            if let number = find(text, in: table, line) {
                words.append(number)
            } else if let fault = unknown(EscapedText.escape(text.unescaped(line), limit: 60)) {
                throw LineFault(start, fault)
            }
        }
        return words
    }

    /// Unknown facts, which later versions may add, are ignored unless the reader is strict: a misspelt fact would be
    /// missing from what the client promises to tell.
    private func readFacts(_ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>) throws(LineFault) -> [FactKey] {
        try readWords(
            &cursor, line, in: NameTables.facts, list: "a list of facts", word: "a text, the name of a fact",
            unknown: { name in
                guard isStrict else { return nil }
                return Self.misspelling(ofFact: name) ?? "there is no fact '\(name)'; Docs/judging/traces.md lists them"
            }
        ).map { NameTables.factKeys[$0] }
    }

    /// Refuses unknown words: a misspelt ability would excuse the client from every case that needs it.
    private func readAbilities(
        _ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> Set<Ability> {
        let words = try readWords(
            &cursor, line, in: NameTables.abilities, list: "a list of abilities", word: "a text, the name of an ability"
        ) { name in
            let hint = NearestName.find(name, in: NameTables.abilityNames.map(\.rawValue))
            return "there is no ability '\(name)'; "
                + (hint.map { "did you mean '\($0)'?" } ?? "Docs/clients/abilities.md lists them")
        }
        return Set(words.map { NameTables.abilityNames[$0] })
    }

    private func readLanes(_ cursor: inout JSONCursor, _ line: borrowing Span<UInt8>) throws(LineFault) -> [Lane] {
        let words = try readWords(
            &cursor, line, in: NameTables.lanes, list: "a list of lanes", word: "a text, the name of a lane"
        ) { name in
            "there is no lane '\(name)'; there are \(NameTables.laneNames.map(\.rawValue).joined(separator: ", "))"
        }
        var lanes: [Lane] = []
        for lane in words.map(NameTables.lane(at:)) where !lanes.contains(lane) { lanes.append(lane) }
        return lanes
    }
}
