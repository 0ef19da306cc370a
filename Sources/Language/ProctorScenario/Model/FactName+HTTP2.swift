extension FactName {
    /// A fact about one stream and the frames that the client sent on it.
    package enum StreamFact: String, Sendable, Hashable, CaseIterable {
        /// The id of the stream on its connection.
        case id
        /// The index of its connection, as in ``WireFact/connection``.
        case connection
        /// The index of its request, as in ``FactName/wire(index:_:)``.
        case request
        /// How the client's side of the stream ended: `end-stream` or `reset`, whichever came first.
        case end
        /// The name of the error code in the client's first RST_STREAM.
        case reset
        /// The number of DATA frames.
        case data
        /// The bytes of content in DATA frames, without padding.
        case length
        /// The bytes of padding in DATA and HEADERS frames, without the Pad Length byte.
        case padding
        /// The types of the frames, in order; adjacent DATA frames count once, and so do adjacent CONTINUATION frames.
        case frames
        /// The names of the request's fields in order, with pseudo-header fields.
        case fields
        /// The sum of the increments in its WINDOW_UPDATE frames, in bytes.
        case window
        /// The values of the latest priority by RFC 7540; a weight is from 1 to 256.
        case weight, dependency, exclusive
        /// The value of the latest PRIORITY_UPDATE (RFC 9218 §7.1).
        case priority
    }

    /// A fact about one HTTP/2 connection.
    package enum HTTP2Fact: String, Sendable, Hashable, CaseIterable {
        /// The parameters in the client's first SETTINGS frame.
        case headerTableSize = "settings.header-table-size"
        case enablePush = "settings.enable-push"
        case maxConcurrentStreams = "settings.max-concurrent-streams"
        case initialWindowSize = "settings.initial-window-size"
        case maxFrameSize = "settings.max-frame-size"
        case maxHeaderListSize = "settings.max-header-list-size"
        case enableConnectProtocol = "settings.enable-connect-protocol"
        case noRFC7540Priorities = "settings.no-rfc7540-priorities"
        /// How many of the server's SETTINGS frames the client acknowledged.
        case settingsAcknowledged = "settings.acknowledged"
        /// How many SETTINGS frames the client sent, without acknowledgements.
        case settingsSent = "settings.sent"
        case pingsAcknowledged = "pings.acknowledged"
        /// The sum of the increments in WINDOW_UPDATE frames for stream 0, in bytes.
        case window
        /// The name of the error code in the client's first GOAWAY.
        case goaway
        /// `true` when the client opened no stream above the last one of a GOAWAY that it had certainly read.
        case goawayHeeded = "goaway.heeded"
        /// The kinds of all departures on the connection, in order.
        case violations

        /// The parameter's name in the journal; nil for a fact that is no parameter.
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
    /// Whether the fact exists on HTTP/2 connections only.
    package var isOfHTTP2: Bool {
        switch self {
        case .http2ConnectionCount, .streamCount, .stream, .http2: true
        default: false
        }
    }
}

// MARK: Words

extension FactName.StreamFact {
    package func words(of stream: String) -> String {
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
    package func words(of connection: String) -> String {
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
