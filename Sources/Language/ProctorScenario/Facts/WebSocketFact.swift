import ProctorBase

extension FactName {
    package enum WebSocketFact: String, GroupedFact {
        case request
        /// Those of the client: texts, and binary ones in hexadecimal digits.
        case messages
        case subprotocol = "protocol"
        case extensions
        case close
        case closeReason = "close-reason"
        /// The payloads of the client's.
        case pings, pongs
        case frames
        case repeatedMasks = "repeated-masks"
        case violations

        package var row: FactRow {
            switch self {
            case .request: FactRow("the number of the request that opened $", .number)
            case .messages: FactRow("the messages of the client on $", .list)
            case .subprotocol: FactRow("the subprotocol of $")
            case .extensions: FactRow("the extensions of $", .list)
            case .close: FactRow("the code with which the client closes $", .number)
            case .closeReason: FactRow("the reason for which the client closes $")
            case .pings: FactRow("the payloads of the client's Pings on $", .list)
            case .pongs: FactRow("the payloads of the client's Pongs on $", .list)
            case .frames: FactRow("the opcodes of the client's frames on $", .list)
            case .repeatedMasks:
                FactRow("the number of the client's frames on $ with the mask of an earlier one", .number)
            case .violations:
                FactRow("the violations on $", .kinds(FactWords("violation", of: "WebSocket", Self.kinds)))
            }
        }

        private static var kinds: [String] {
            ["websocket-violations", "websocket-handshake-violations"].flatMap(TableCells.kinds)
        }
    }
}
