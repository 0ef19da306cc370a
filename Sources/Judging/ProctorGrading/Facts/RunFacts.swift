import ProctorScenario

/// The facts of a run as a whole, each by its whole name.
enum RunFacts {
    typealias Row = GatheredFact<WireRecord>

    static let rows: [Row] = [
        Row(
            FactRow("wire.count", "the number of requests", .number, shownBy: .requests), because: failedHandshakes
        ) { Measurement($0.exchanges.count) },
        Row(
            FactRow(
                "connections", "the number of connections", .number, over: .unsharedConnections, shownBy: .requests,
                subject: .connections)
        ) { Measurement($0.connections.count) },
        Row(
            FactRow(
                "tunnels", "the number of tunnels", .number,
                over: .http11Values("the fact is about tunnels of HTTP/1.1"), shownBy: .requests,
                subject: .connections),
            because: { record, _, _ in
                record.exchanges.contains(where: \.isConnect)
                    ? "CONNECT came, and no tunnel was opened" : "no proxy was sent CONNECT"
            }
        ) { Measurement($0.tunnels.count) },
        // How many came before a reply to one before them on their connection had gone out.
        Row(
            FactRow(
                "pipelined", "the number of pipelined requests", .number, over: .pipelining, shownBy: .requests,
                subject: .connections)
        ) { Measurement(pipelined($0).count) },
        // Resumptions included.
        Row(
            FactRow("tls.handshakes", "the number of complete handshakes", .number, subject: .connections, of: .tls),
            because: failedHandshakes
        ) { record in Measurement(record.handshakes.count { record.connections[$0].tls.handshake != nil }) },
        // Those that began and failed.
        Row(FactRow("tls.failures", "the number of failed handshakes", .number, subject: .connections, of: .tls)) {
            record in Measurement(record.handshakes.count { record.connections[$0].tls.hasFailed })
        },
    ]

    /// The journal entry that shows a fact, where one does.
    static let sequences: [String: @Sendable (WireRecord) -> UInt64?] = [
        "wire.count": { $0.exchanges.last?.sequence },
        "connections": { $0.connections.last?.sequence },
        "tunnels": { $0.tunnels.last },
        "pipelined": { pipelined($0).last?.sequence },
    ]

    private static func pipelined(_ record: WireRecord) -> [SeenExchange] {
        record.exchanges.filter { $0.behindCount > 0 }
    }

    private static let failedHandshakes: Row.Because = { record, _, _ in record.failedHandshakes }
}
