extension FaultRow {
    /// `fixtures/fault`, each scenario once: connections that never are, that end early, and that are used twice.
    static let fault =
        meetings + openings + [
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
                Reply.chunked + "5\r\nhello\r\nslipped in5\r\n worl\r\n1\r\nd\r\n0\r\n\r\n", .open),
            .page("fault/half-close-before-the-head", "", .halfClosed),
            FaultRow(
                "fault/half-close-behind-the-answer",
                Talk(.get("/first"), .arrives(Reply.of("first\n")), end: .halfClosed),
                Talk(.get("/second"), .arrives(Reply.of("second\n")), end: .open)),
            .page("fault/half-close-within-the-body", Reply.twelve + "twelv", .halfClosed),
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
            return .page("fault/\(verb)-\(name)", bytes, end)
        }
    }
}
