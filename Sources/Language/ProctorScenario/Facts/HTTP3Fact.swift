import ProctorBase

extension FactName {
    /// A fact about one HTTP/3 connection.
    package enum HTTP3Fact: String, GroupedFact {
        /// The parameters in the client's first SETTINGS frame.
        case maxTableCapacity = "settings.qpack-max-table-capacity"
        case blockedStreams = "settings.qpack-blocked-streams"
        case maxFieldSectionSize = "settings.max-field-section-size"
        case enableConnectProtocol = "settings.enable-connect-protocol"
        case datagram = "settings.h3-datagram"
        case settingsSent = "settings.sent"
        /// The types of the client's unidirectional streams, in the order in which they came.
        case streams
        /// The names of the error codes in the client's RESET_STREAMs, in order.
        case resets
        /// The same of its STOP_SENDINGs.
        case stops
        /// The push in the client's first GOAWAY.
        case goaway
        /// The client's highest MAX_PUSH_ID.
        case maxPushID = "max-push-id"
        /// The name of the code in the client's CONNECTION_CLOSE; a code of the transport is a number, `0xa`.
        case close
        /// `http3` or `transport`: whose code that is.
        case closeLayer = "close.layer"
        /// The kinds of all departures on the connection, in order.
        case violations

        /// The parameter's name in the journal; nil for a fact that is no parameter.
        package var setting: String? { self == .settingsSent ? nil : FactName.setting(of: rawValue) }

        package var row: FactRow {
            switch self {
            case .maxTableCapacity, .blockedStreams, .maxFieldSectionSize, .enableConnectProtocol, .datagram:
                FactRow("NAME in the client's SETTINGS on $", .number, setting)
            case .settingsSent: FactRow("the number of the client's SETTINGS on $", .number)
            case .streams: FactRow("the types of the client's unidirectional streams on $", .list)
            case .resets: FactRow("the codes with which the client reset streams of $", .list)
            case .stops: FactRow("the codes with which the client stopped streams of $", .list)
            case .goaway: FactRow("the push in the client's GOAWAY on $", .number)
            case .maxPushID: FactRow("the client's MAX_PUSH_ID on $", .number)
            case .close: FactRow("the code with which the client closed $")
            case .closeLayer:
                FactRow(
                    "the layer of the code with which the client closed $",
                    .word(FactWords("layer", of: "a code", ["http3", "transport"])))
            case .violations:
                FactRow(
                    "the violations on $", .kinds(FactWords("violation", of: "a connection of HTTP/3", Self.kinds)))
            }
        }

        private static var kinds: [String] { TableCells.kinds(of: "http3-violations") }
    }
}
