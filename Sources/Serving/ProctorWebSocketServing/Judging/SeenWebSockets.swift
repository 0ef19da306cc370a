internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorScenario

/// What came and went on WebSockets, and in their handshakes: the facts `ws[N].…`, in the order in which they were opened.
struct SeenWebSockets: FactGatherer {
    /// The indexes of the requests that opened one.
    private var opened: [Int] = []
    /// What came and went, in order, by the index of the request; also of handshakes that were refused.
    private var events: [Int: [WebSocketNote.Event]] = [:]
    /// What was wrong, and what was expected and did not come.
    private var departures: [GatheredDeparture] = []

    struct WebSocket {
        /// The index of the request that opened it.
        fileprivate let request: Int
        fileprivate let events: [WebSocketNote.Event]
    }

    var all: [WebSocket] { opened.map { WebSocket(request: $0, events: events(of: $0)) } }

    /// What came and went for that request, in order.
    func events(of request: Int) -> [WebSocketNote.Event] { events[request] ?? [] }

    static let group = FactGroup.webSocket

    static let words = GatheredWords(
        owner: "WebSocket $", of: .request, counted: "WebSocket", "were opened", never: "WebSocket $ was never opened",
        wrong: "on $ the client broke a rule")

    static let facts: [GatheredFact<WebSocket>] = [
        GatheredFact("request", "the number of the request that opened $", .number) { Measurement($0.request) },
        // Texts, and binary ones in hexadecimal digits.
        GatheredFact("messages", "the messages of the client on $", .list) {
            $0.messages { $0 == .text || $0 == .binary }
        },
        GatheredFact("protocol", "the subprotocol of $") { Measurement($0.agreement?.protocolName) },
        GatheredFact("extensions", "the extensions of $", .list) { Measurement(ofList: $0.agreement?.extensions) },
        GatheredFact("close", "the code with which the client closes $", .number) { Measurement($0.closing?.code) },
        GatheredFact("close-reason", "the reason for which the client closes $") {
            $0.closing.map { .text($0.kept) } ?? .absent
        },
        GatheredFact("pings", "the payloads of the client's Pings on $", .list) { $0.messages { $0 == .ping } },
        GatheredFact("pongs", "the payloads of the client's Pongs on $", .list) { $0.messages { $0 == .pong } },
        GatheredFact("frames", "the opcodes of the client's frames on $", .list) {
            Measurement(ofList: $0.clientFrames.map(\.opcode))
        },
        GatheredFact(
            "repeated-masks", "the number of the client's frames on $ with the mask of an earlier one", .number
        ) { Measurement($0.clientFrames.count - Set($0.clientFrames.map(\.mask)).count) },
        GatheredFact(
            "violations", "the violations on $",
            .kinds(
                FactWords(
                    "violation", of: "WebSocket",
                    ["websocket-violations", "websocket-handshake-violations"].flatMap(TableCells.kinds)))
        ) { Measurement(ofValues: $0.violations.map(\.kind)) },
    ]

    static let factsOfRun: [GatheredFact<SeenWebSockets>] = [
        GatheredFact("count", "the number of WebSockets", .number) { Measurement($0.opened.count) }
    ]

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .webSocket(let note) = entry.event else { return }
        if note.isFault { departures.append(Self.departure(note, entry, of: request)) }
        guard let request else { return }
        if case .opened = note.event { opened.append(request) }
        events[request, default: []].append(note.event)
    }

    func sequence(of socket: WebSocket, in record: WireRecord) -> UInt64? { record.exchanges[socket.request].sequence }

    func faults(of socket: WebSocket, in record: WireRecord) -> [ListedFault] {
        socket.violations.map { ListedFault($0) }
    }

    func departures(beside asked: [WebSocket], in record: WireRecord) -> [GatheredDeparture] {
        let requests = Set(asked.map(\.request))
        return departures.filter { $0.section == nil || !($0.request.map(requests.contains) ?? false) }
    }

    private static func departure(_ note: WebSocketNote, _ entry: JournalEntry, of request: Int?) -> GatheredDeparture {
        var departure = GatheredDeparture(
            "webSocket", "", on: "on the WebSocket", sentence: note.sentence,
            cause: "another message on a WebSocket", at: entry.sequence, of: request)
        switch note.event {
        case .violation(let violation):
            departure.got = violation.kind
            departure.cause = "violation \(violation.kind)"
            departure.section = violation.section
        case .expected(let expected): (departure.wanted, departure.got) = (expected.wanted, expected.got)
        case .opened, .frame: break
        }
        return departure
    }
}

extension SeenWebSockets.WebSocket {
    fileprivate var agreement: (protocolName: String?, extensions: [String])? {
        for case .opened(let name, let extensions) in events { return (name, extensions) }
        return nil
    }

    fileprivate var violations: [WebSocketViolationNote] {
        events.compactMap { event in if case .violation(let violation) = event { violation } else { nil } }
    }

    fileprivate var clientFrames: [WebSocketFrameNote] {
        events.compactMap { event in
            if case .frame(let frame) = event, frame.party == .client { frame } else { nil }
        }
    }

    fileprivate var closing: WebSocketFrameNote.Message? {
        clientFrames.lazy.compactMap(\.message).first { $0.kind == .close }
    }

    /// The messages of the client, as texts; a binary one in hexadecimal digits.
    fileprivate func messages(_ isWanted: (WebSocketFrameNote.Kind) -> Bool) -> Measurement {
        let messages = clientFrames.compactMap(\.message).filter { isWanted($0.kind) }
        if let cut = messages.first(where: { $0.kept.count < $0.byteCount }) {
            return .notKept("the journal kept \(cut.kept.count) of \(cut.byteCount) bytes of a message")
        }
        return .list(messages.map { $0.kind == .binary ? Array($0.kept.hexadecimal.utf8) : $0.kept })
    }
}
