import ProctorScenario
import Testing

/// The bytes and the end that a raw socket sees of one scenario with a fault.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// The id of the scenario: `fault/nobody-listens`.
    let scenario: String
    /// The origin that is called.
    let origin: String
    let meeting: Meeting
    var testDescription: String { scenario }

    enum Meeting: Sendable {
        /// ECONNREFUSED.
        case refused
        /// EINPROGRESS, and still so after a while.
        case unanswered
        /// The connection is open and accepts bytes, and the server sends nothing.
        case unaccepted
        /// Connections, one after the other.
        case talks([Talk])
    }

    /// What happens on one connection.
    struct Talk: Sendable {
        let steps: [Step]
        let end: End

        init(_ steps: Step..., end: End) {
            self.steps = steps
            self.end = end
        }
    }

    enum Step: Sendable {
        case send([UInt8])
        /// Just these bytes come, with the run's own URL for `{{base}}`.
        case arrives([UInt8])
        /// Nothing comes for a while, no end either.
        case silence
        /// More is sent than all buffers hold, until no more is taken.
        case fill([UInt8])

        static func get(_ path: String) -> Step { .send(Array(String.request("GET \(path)").utf8)) }
        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
        static func arrives(_ text: String) -> Step { .arrives(Array(text.utf8)) }
    }

    /// How a connection ends after the bytes of its steps.
    enum End: Sendable, Equatable {
        /// FIN.
        case closed
        /// FIN, and the server reads on until we leave.
        case halfClosed
        /// RST.
        case reset
        /// RST behind no more than so many of the bytes, which may be none.
        case resetAbruptly(behind: [UInt8])
        /// Nothing for a while, as the server waits for another request; then we leave, and it answers by FIN.
        case open
        /// Nothing for a while in the middle of what the server does; then we leave, and it answers by FIN.
        case stalled
        /// Nothing for a while; then we leave, and the RST that answers tells that our bytes were never read.
        case unread
        /// Nothing for a while, and our RST ends it.
        case held
    }
}

extension FaultRow {
    init(_ scenario: String, at origin: String = "main", _ meeting: Meeting) {
        self.scenario = scenario
        self.origin = origin
        self.meeting = meeting
    }

    init(_ scenario: String, _ talks: Talk...) {
        self.init(scenario, .talks(talks))
    }

    /// One connection with one `GET /page`.
    static func page(_ scenario: String, _ reply: String, end: End) -> FaultRow {
        FaultRow(scenario, Talk(.get("/page"), .arrives(reply), end: end))
    }

    /// The bytes of replies that several rows share.
    enum Reply {
        static let twelve = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"
        static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        /// A chunk of 100 bytes as framed: 106 bytes.
        static let chunk = "64\r\n\(String(repeating: "x", count: 100))\r\n"

        static func of(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }
}

extension FaultRow {
    /// `fixtures/fault`, each scenario once: connections that never are, that end early, and that are used twice.
    static let fault =
        meetings + openings + [
            FaultRow(
                "fault/failed-load-is-given-up",
                Talk(
                    .get("/length"), .arrives("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc"), end: .stalled),
                Talk(
                    .get("/chunks"), .arrives("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
                    end: .stalled),
                Talk(.get("/next"), .arrives(Reply.of("next\n")), end: .open)),
            FaultRow(
                "fault/another-answer-on-another-connection",
                Talk(
                    .get("/page"),
                    .arrives(
                        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 12\r\n\r\ntry another\n"
                    ),
                    end: .closed),
                Talk(
                    .get("/page"), .arrives(Reply.of("here it is\n")), .get("/page"),
                    .arrives(Reply.of("here it is\n")),
                    end: .open)),
            .page(
                "fault/bytes-put-into-a-body",
                Reply.chunked + "5\r\nhello\r\nslipped in5\r\n worl\r\n1\r\nd\r\n0\r\n\r\n", end: .open),
            .page("fault/half-close-before-the-head", "", end: .halfClosed),
            FaultRow(
                "fault/half-close-behind-the-answer",
                Talk(.get("/first"), .arrives(Reply.of("first\n")), end: .halfClosed),
                Talk(.get("/second"), .arrives(Reply.of("second\n")), end: .open)),
            .page("fault/half-close-within-the-body", Reply.twelve + "twelv", end: .halfClosed),
            FaultRow(
                "fault/reset-abruptly-within-the-body",
                Talk(
                    .get("/page"),
                    end: .resetAbruptly(
                        behind: Array(
                            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 50_000))"
                                .utf8)
                    ))),
        ] + cuts

    /// Ports at which nothing is played.
    private static let meetings = [
        FaultRow("fault/cannot-be-reached", at: "away", .unanswered),
        FaultRow("fault/nobody-accepts", at: "deaf", .unaccepted),
        FaultRow("fault/nobody-listens", at: "gone", .refused),
    ]

    /// Ends before any reply, each at its byte: the one before it brings silence.
    private static let openings = [
        FaultRow("fault/accepted-and-closed", Talk(end: .closed)),
        FaultRow("fault/accepted-and-reset", Talk(end: .reset)),
        FaultRow("fault/accepted-and-silent", Talk(.get("/page"), end: .unread)),
        FaultRow(
            "fault/closed-as-the-next-request-comes",
            Talk(
                .get("/first"), .arrives(Reply.of("first\n")), .send("G"), .silence, .send("E"), end: .closed),
            Talk(
                .get("/first"), .arrives(Reply.of("first\n")), .get("/second"), .arrives(Reply.of("second\n")),
                end: .open)
        ),
        FaultRow(
            "fault/closed-within-the-request-head", Talk(.send("GET /page "), .silence, .send("H"), end: .closed)),
        FaultRow(
            "fault/first-connection-is-reset",
            Talk(.send("G"), .silence, .send("E"), end: .reset),
            Talk(.get("/page"), .arrives(Reply.of("second try\n")), end: .open)),
        FaultRow(
            "fault/greeted-before-the-request",
            Talk(
                .arrives("220 mail.example.org ready\r\n"), .silence, .get("/page"), .arrives(Reply.of("ok\n")),
                end: .open)),
        FaultRow(
            "fault/reset-as-the-next-request-comes",
            Talk(.get("/first"), .arrives(Reply.of("first\n")), .send("P"), .silence, .send("O"), end: .reset),
            Talk(
                .get("/first"), .arrives(Reply.of("first\n")),
                .send(.request("POST /second", "Content-Length: 3") + "a=1"), .arrives(Reply.of("posted\n")), end: .open
            )),
        FaultRow(
            "fault/reset-within-the-request-body",
            Talk(
                .send(.request("POST /upload", "Content-Length: 5000000") + String(repeating: "a", count: 1_000)),
                .silence, .send("a"), end: .reset)),
    ]

    /// The same places of a reply, ended in order, by RST, and by silence.
    private static let cuts: [FaultRow] = [
        (Place("after-the-head", Reply.twelve), [.closed, .reset, .stalled]),
        (
            Place("before-the-last-chunk", Reply.chunked + Reply.chunk + Reply.chunk + Reply.chunk),
            [.closed, .reset, .stalled]
        ),
        (Place("within-a-chunk-size", Reply.chunked + "6"), [.closed, .reset]),
        // The size of the second chunk, so that the stall comes in the middle of content.
        (Place("within-a-chunk-size", Reply.chunked + Reply.chunk + "6"), [.stalled]),
        (Place("within-the-fields", "HTTP/1.1 200 OK\r\nContent-Lengt"), [.closed, .reset]),
        (Place("within-the-status-line", "HTTP/1.1 200"), [.closed, .reset, .stalled]),
        (Place("within-the-trailers", Reply.chunked + "c\r\ntwelve bytes\r\n0\r\nX-One"), [.closed, .reset]),
        (Place("after-the-last-byte", Reply.twelve + "twelve bytes"), [.reset]),
    ].flatMap { place, ends in ends.map { place.row($0) } }

    /// Where several scenarios cut one reply, and what arrives up to there.
    private struct Place {
        let name: String
        let bytes: String

        init(_ name: String, _ bytes: String) {
            self.name = name
            self.bytes = bytes
        }

        func row(_ end: End) -> FaultRow {
            let verb =
                switch end {
                case .closed: "close"
                case .stalled: "stall"
                default: "reset"
                }
            return .page("fault/\(verb)-\(name)", bytes, end: end)
        }
    }
}

extension FaultRow {
    /// What ends, breaks or stalls in `fixtures/broken`, `fixtures/body` and `fixtures/time`, apart from raw replies.
    static let broken: [FaultRow] = [
        .page("broken/body-too-short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort\n", end: .closed),
        .page("broken/nothing-at-all", "", end: .closed),
        .page("broken/reset-at-once", "", end: .reset),
        .page(
            "broken/reset-within-the-body",
            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 5_000))", end: .reset),
        .page(
            "body/chunked-without-the-last-chunk", Reply.chunked + "5\r\nhello\r\n5\r\n hell\r\n1\r\no\r\n",
            end: .closed),
        .page(
            "body/junk-behind-the-last-chunk", Reply.chunked + "d\r\nall there is\n\r\n0\r\n\r\nand more", end: .closed),
        .page("body/until-close-and-empty", "HTTP/1.1 200 OK\r\n\r\n", end: .closed),
        .page(
            "body/until-close-cut-by-a-reset", "HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "x", count: 5_000))",
            end: .reset),
        FaultRow(
            "body/until-close-in-http10",
            Talk(
                .get("/page"),
                .arrives(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + (0..<70_000).map(OffsetPattern.offset.byte(at:))),
                end: .closed)),
        .page("body/until-half-close", "HTTP/1.1 200 OK\r\n\r\nhalf closed\n", end: .halfClosed),
        .page("time/body-stops", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", end: .stalled),
        .page("time/no-answer", "", end: .stalled),
        FaultRow(
            "time/redirect-then-silence",
            Talk(
                .get("/start"),
                .arrives("HTTP/1.1 302 Found\r\nLocation: {{base}}/silent\r\nContent-Length: 0\r\n\r\n"),
                .get("/silent"), end: .stalled)),
        FaultRow(
            "time/upload-that-nobody-reads",
            Talk(
                .send(.request("POST /upload", "Content-Length: 20000000")),
                .fill([UInt8](repeating: 0x61, count: 20_000_000)), end: .held)),
    ]

    /// A scenario that is nothing but one raw reply, then perhaps a close: its very bytes arrive, and no other.
    init?(raw scenario: Scenario) {
        guard scenario.exchanges.count == 1, let exchange = scenario.exchanges.first, exchange.replies.count == 1,
            let reply = exchange.replies.first, case .raw(let pieces)? = reply.message, pieces.count == 1,
            case .bytes(.literal(let bytes))? = pieces.first
        else { return nil }
        let end: End
        switch reply.effects.map({ ($0.position, $0.action) }) {
        case let effects where effects.isEmpty: end = .open
        case let effects where effects.count == 1:
            guard case (.end, .close(abrupt: false, notify: _)) = effects[0] else { return nil }
            end = .closed
        default: return nil
        }
        self.init(scenario.id, Talk(.send(.request(exchange.request.text)), .arrives(bytes), end: end))
    }
}
