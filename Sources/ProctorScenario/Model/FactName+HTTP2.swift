extension FactName {
    /// A fact of one stream, of the frames that the client sent on it.
    package enum StreamFact: String, Sendable, Hashable, CaseIterable {
        /// The stream's number on its connection.
        case id
        /// Its connection, counted as in ``WireFact/connection``.
        case connection
        /// Its request, counted as in ``FactName/wire(index:_:)``.
        case request
        /// What ended the client's half first: `end-stream` or `reset`.
        case end
        /// The name of the error code of the client's first RST_STREAM.
        case reset
        /// How many DATA frames there were.
        case data
        /// Bytes of content in DATA frames, without padding.
        case length
        /// Bytes of padding in DATA and HEADERS frames, without the byte that says their count.
        case padding
        /// The types of the frames, in order; several DATA or CONTINUATION in a row count once.
        case frames
        /// The names of the fields of the request, pseudo-header fields too, in order.
        case fields
        /// The sum of its WINDOW_UPDATE, in bytes.
        case window
        /// Of the latest priority by RFC 7540; a weight is from 1 to 256.
        case weight, dependency, exclusive
        /// The value of the latest PRIORITY_UPDATE (RFC 9218 §7.1).
        case priority
    }

    /// A fact of one connection that spoke HTTP/2.
    package enum HTTP2Fact: String, Sendable, Hashable, CaseIterable {
        /// The values of the client's first SETTINGS.
        case headerTableSize = "settings.header-table-size"
        case enablePush = "settings.enable-push"
        case maxConcurrentStreams = "settings.max-concurrent-streams"
        case initialWindowSize = "settings.initial-window-size"
        case maxFrameSize = "settings.max-frame-size"
        case maxHeaderListSize = "settings.max-header-list-size"
        case enableConnectProtocol = "settings.enable-connect-protocol"
        case noRFC7540Priorities = "settings.no-rfc7540-priorities"
        /// How many SETTINGS of the server the client acknowledged.
        case settingsAcknowledged = "settings.acknowledged"
        /// How many SETTINGS the client sent, without acknowledgements.
        case settingsSent = "settings.sent"
        case pingsAcknowledged = "pings.acknowledged"
        /// The sum of WINDOW_UPDATE on stream 0, in bytes.
        case window
        /// The name of the error code of the client's first GOAWAY.
        case goaway
        /// `true` where the client opened no stream above the last one of a GOAWAY that it had certainly read.
        case goawayHeeded = "goaway.heeded"
        /// The kinds of all departures on the connection, in order.
        case violations

        /// The journal's name of the parameter; nil for a fact that is no parameter.
        package var setting: String? {
            switch self {
            case .headerTableSize, .enablePush, .maxConcurrentStreams, .initialWindowSize, .maxFrameSize,
                .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities:
                rawValue.dropping(prefix: "settings.")?.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
            case .settingsAcknowledged, .settingsSent, .pingsAcknowledged, .window, .goaway, .goawayHeeded,
                .violations:
                nil
            }
        }
    }
}

extension FactName {
    /// Whether only a connection of HTTP/2 has the fact.
    package var isOfHTTP2: Bool {
        switch self {
        case .http2ConnectionCount, .streamCount, .stream, .http2: true
        default: false
        }
    }
}

// MARK: Words

extension FactName.StreamFact {
    func words(of stream: String) -> String {
        switch self {
        case .id: "the number of \(stream)"
        case .connection: "the number of the connection of \(stream)"
        case .request: "the number of the request of \(stream)"
        case .end: "how the client ended its half of \(stream)"
        case .reset: "the code with which the client reset \(stream)"
        case .data: "the number of the client's DATA frames on \(stream)"
        case .length: "the length of the content on \(stream) in bytes"
        case .padding: "the length of the padding on \(stream) in bytes"
        case .frames: "the types of the client's frames on \(stream)"
        case .fields: "the field names of the request on \(stream)"
        case .window: "the bytes by which the client widened the window of \(stream)"
        case .weight: "the weight of \(stream)"
        case .dependency: "the stream that \(stream) depends on"
        case .exclusive: "whether \(stream) depends on another one alone"
        case .priority: "the priority of \(stream)"
        }
    }
}

extension FactName.HTTP2Fact {
    func words(of connection: String) -> String {
        switch self {
        case .headerTableSize, .enablePush, .maxConcurrentStreams, .initialWindowSize, .maxFrameSize,
            .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities:
            "\(setting ?? "") in the client's first SETTINGS on \(connection)"
        case .settingsAcknowledged: "the number of the server's SETTINGS that the client acknowledged on \(connection)"
        case .settingsSent: "the number of the client's SETTINGS on \(connection)"
        case .pingsAcknowledged: "the number of the server's PINGs that the client acknowledged on \(connection)"
        case .window: "the bytes by which the client widened the window of \(connection)"
        case .goaway: "the code of the client's GOAWAY on \(connection)"
        case .goawayHeeded: "whether the client opened no stream after the server's GOAWAY on \(connection)"
        case .violations: "the violations on \(connection)"
        }
    }
}
