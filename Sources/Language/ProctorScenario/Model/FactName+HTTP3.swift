import ProctorBase

extension FactName {
    /// A fact about one HTTP/3 connection.
    package enum HTTP3Fact: String, Sendable, Hashable, CaseIterable {
        /// The parameters in the client's first SETTINGS frame.
        case maxTableCapacity = "settings.qpack-max-table-capacity"
        case blockedStreams = "settings.qpack-blocked-streams"
        case maxFieldSectionSize = "settings.max-field-section-size"
        case enableConnectProtocol = "settings.enable-connect-protocol"
        case datagram = "settings.h3-datagram"
        /// How many SETTINGS frames the client sent.
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
        package var setting: String? {
            switch self {
            case .maxTableCapacity, .blockedStreams, .maxFieldSectionSize, .enableConnectProtocol, .datagram:
                rawValue.dropping(prefix: "settings.")?.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
            case .settingsSent, .streams, .resets, .stops, .goaway, .maxPushID, .close, .closeLayer, .violations: nil
            }
        }

        package var holdsList: Bool { [.streams, .resets, .stops, .violations].contains(self) }

        package var isNumber: Bool { setting != nil || [.settingsSent, .goaway, .maxPushID].contains(self) }

        package func words(of connection: String) -> String {
            switch self {
            case .maxTableCapacity, .blockedStreams, .maxFieldSectionSize, .enableConnectProtocol, .datagram:
                "\(setting ?? "") in the client's SETTINGS on \(connection)"
            case .settingsSent: "the number of the client's SETTINGS on \(connection)"
            case .streams: "the types of the client's unidirectional streams on \(connection)"
            case .resets: "the codes with which the client reset streams of \(connection)"
            case .stops: "the codes with which the client stopped streams of \(connection)"
            case .goaway: "the push in the client's GOAWAY on \(connection)"
            case .maxPushID: "the client's MAX_PUSH_ID on \(connection)"
            case .close: "the code with which the client closed \(connection)"
            case .closeLayer: "the layer of the code with which the client closed \(connection)"
            case .violations: "the violations on \(connection)"
            }
        }
    }
}

extension FactName {
    /// Whether the fact exists on HTTP/3 connections only.
    package var isOfHTTP3: Bool {
        switch self {
        case .http3ConnectionCount, .http3: true
        default: false
        }
    }
}
