import ProctorScenario

extension FaultRow {
    /// What ends, breaks or stalls in `fixtures/broken`, `fixtures/body` and `fixtures/time`, apart from raw replies.
    static let broken: [FaultRow] = [
        .page("broken/body-too-short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort\n", .closed),
        .page("broken/nothing-at-all", "", .closed),
        .page("broken/reset-at-once", "", .reset),
        .page(
            "broken/reset-within-the-body",
            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 5_000))", .reset),
        .page(
            "body/chunked-without-the-last-chunk", Reply.chunked + "5\r\nhello\r\n5\r\n hell\r\n1\r\no\r\n", .closed),
        .page(
            "body/junk-behind-the-last-chunk", Reply.chunked + "d\r\nall there is\n\r\n0\r\n\r\nand more", .closed),
        .page("body/until-close-and-empty", "HTTP/1.1 200 OK\r\n\r\n", .closed),
        .page(
            "body/until-close-cut-by-a-reset", "HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "x", count: 5_000))", .reset),
        FaultRow(
            "body/until-close-in-http10",
            Talk(
                .get("/page"),
                .arrives(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + (0..<70_000).map(OffsetPattern.offset.byte(at:))),
                end: .closed)),
        .page("body/until-half-close", "HTTP/1.1 200 OK\r\n\r\nhalf closed\n", .halfClosed),
        .page("time/body-stops", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", .stalled),
        .page("time/no-answer", "", .stalled),
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
