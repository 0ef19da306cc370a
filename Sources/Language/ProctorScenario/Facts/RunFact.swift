extension FactName {
    /// A fact of the run as a whole; the raw value is its whole name.
    package enum RunFact: String, GroupedFact {
        case requests = "wire.count"
        case connections, tunnels
        /// How many requests came before a reply to one before them on their connection had gone out.
        case pipelined
        /// Of completed handshakes, resumptions included, and of those that began and failed.
        case handshakes = "tls.handshakes"
        case failedHandshakes = "tls.failures"

        package var row: FactRow {
            switch self {
            case .requests: FactRow("the number of requests", .number, shownBy: .requests)
            case .connections:
                FactRow("the number of connections", .number, over: .unsharedConnections, shownBy: .requests)
            case .tunnels:
                FactRow(
                    "the number of tunnels", .number, over: .http11Values("the fact is about tunnels of HTTP/1.1"),
                    shownBy: .requests)
            case .pipelined:
                FactRow("the number of pipelined requests", .number, over: .pipelining, shownBy: .requests)
            case .handshakes: FactRow("the number of complete handshakes", .number, of: .tls)
            case .failedHandshakes: FactRow("the number of failed handshakes", .number, of: .tls)
            }
        }
    }
}
