internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorScenario

/// The connections on which clients spoke HTTP/3: the facts `h3[N].…`, in order.
struct SeenHTTP3Connections: FactGatherer {
    private var connections: [SeenHTTP3] = []
    /// Indexes, by that of the connection in the record.
    private var indexes: [Int: Int] = [:]

    var all: [SeenHTTP3] { connections.filter(\.isSpokenByClient).sorted { $0.place < $1.place } }

    static let group = FactGroup.http3

    static let words = GatheredWords(
        owner: "HTTP/3 connection $", counted: "connection", "spoke HTTP/3",
        never: "connection $ of HTTP/3 never came", wrong: "on $ the client broke a rule")

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .frame(let frame) = entry.event, frame.isOfHTTP3, let connection else { return }
        let index = indexes[connection] ?? connections.count
        if index == connections.count {
            indexes[connection] = index
            connections.append(SeenHTTP3(at: connection))
        }
        connections[index].record(frame, at: entry.sequence)
    }

    func sequence(of connection: SeenHTTP3, in record: WireRecord) -> UInt64? { connection.sequence }

    func sequenceOfRun(_ fact: String, in record: WireRecord) -> UInt64? { nil }

    func faults(of connection: SeenHTTP3, in record: WireRecord) -> [ListedFault] {
        record.frameViolations(on: connection.place).map { ListedFault($0) }
    }

    func connection(of connection: SeenHTTP3) -> Int? { connection.place }

    /// The parameters in the client's first SETTINGS frame.
    private static let settings: [GatheredFact<SeenHTTP3>] = [
        "qpack-max-table-capacity", "qpack-blocked-streams", "max-field-section-size", "enable-connect-protocol",
        "h3-datagram",
    ].map { name in
        let setting = SettingNote.name(ofFact: name)
        return GatheredFact("settings.\(name)", "\(setting) in the client's SETTINGS on $", .number) { seen in
            Measurement(seen.settings?.last { $0.name == setting }.map { Int(clamping: $0.value) })
        }
    }

    static let facts: [GatheredFact<SeenHTTP3>] =
        settings + [
            GatheredFact("settings.sent", "the number of the client's SETTINGS on $", .number) {
                Measurement($0.settingsCount)
            },
            // In the order in which they came.
            GatheredFact("streams", "the types of the client's unidirectional streams on $", .list) {
                list($0.streams)
            },
            // The names of the codes in RESET_STREAMs and STOP_SENDINGs, in order.
            GatheredFact("resets", "the codes with which the client reset streams of $", .list) { list($0.resets) },
            GatheredFact("stops", "the codes with which the client stopped streams of $", .list) { list($0.stops) },
            GatheredFact("goaway", "the push in the client's GOAWAY on $", .number) { Measurement($0.goAway) },
            // The highest one.
            GatheredFact("max-push-id", "the client's MAX_PUSH_ID on $", .number) { Measurement($0.maxPushID) },
            // The name of the code in CONNECTION_CLOSE; one of the transport is a number, `0xa`.
            GatheredFact("close", "the code with which the client closed $") { Measurement($0.close?.code) },
            GatheredFact(
                "close.layer", "the layer of the code with which the client closed $",
                .word(FactWords("layer", of: "a code", ["http3", "transport"]))
            ) { Measurement($0.close.map { $0.isOfTransport ? "transport" : "http3" }) },
            GatheredFact(
                "violations", "the violations on $",
                .kinds(FactWords("violation", of: "a connection of HTTP/3", TableCells.kinds(of: "http3-violations"))),
                inRecord: { connection, record in list(record.frameViolations(on: connection.place).map(\.kind)) }),
        ]

    static let factsOfRun: [GatheredFact<SeenHTTP3Connections>] = [
        GatheredFact("connections", "the number of connections that speak HTTP/3", .number) {
            Measurement($0.all.count)
        }
    ]

    private static func list(_ words: [String]) -> Measurement {
        words.isEmpty ? .absent : Measurement(ofList: words)
    }
}

/// The journal's entries about HTTP/3 on one connection; the client may have opened no stream on it.
struct SeenHTTP3 {
    /// The index of the connection in the record.
    let place: Int
    /// Whether the client opened a stream or sent a frame.
    private(set) var isSpokenByClient = false
    /// The entry of that.
    private(set) var sequence: UInt64?
    fileprivate var settings: [SettingNote]?
    fileprivate var settingsCount = 0
    fileprivate var streams: [String] = []
    fileprivate var resets: [String] = []
    fileprivate var stops: [String] = []
    fileprivate var goAway: Int?
    fileprivate var maxPushID: Int?
    fileprivate var close: (code: String, isOfTransport: Bool)?

    init(at place: Int) { self.place = place }

    /// Records a frame of either side.
    mutating func record(_ frame: FrameNote, at sequence: UInt64) {
        guard frame.party == .client else { return }
        switch (frame.type, frame.detail) {
        // The handshake may fail before any stream.
        case (_, .close(let code, let isOfTransport, _)): close = close ?? (code, isOfTransport)
        case ("RESET_STREAM", .code(let code)): resets.append(code)
        case ("STOP_SENDING", .code(let code)): stops.append(code)
        case (_, .streamType(let type)): streams.append(type)
        case ("SETTINGS", let detail):
            settingsCount += 1
            if case .settings(let settings) = detail { self.settings = self.settings ?? settings }
        case ("GOAWAY", .id(let id)): goAway = goAway ?? Int(clamping: id)
        case ("MAX_PUSH_ID", .id(let id)): maxPushID = max(maxPushID ?? 0, Int(clamping: id))
        default: break
        }
        guard frame.type != "CONNECTION_CLOSE" else { return }
        isSpokenByClient = true
        self.sequence = self.sequence ?? sequence
    }
}
