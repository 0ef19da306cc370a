import ProctorBase
import ProctorJournal

extension FactName {
    /// A fact about one stream and the frames that the client sent on it.
    package enum StreamFact: String, GroupedFact {
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

        package var row: FactRow {
            switch self {
            case .id: FactRow("the number of $", .number)
            case .connection: FactRow("the number of the connection of $", .number)
            case .request: FactRow("the number of the request of $", .number)
            case .end:
                FactRow(
                    "how the client ended its half of $",
                    .word(FactWords("end", of: "a stream", ["end-stream", "reset"])))
            case .reset: FactRow("the code with which the client reset $", .word(.errorCodes))
            case .data: FactRow("the number of the client's DATA frames on $", .number)
            case .length: FactRow("the length of the content on $ in bytes", .number)
            case .padding: FactRow("the length of the padding on $ in bytes", .number)
            case .frames:
                FactRow(
                    "the types of the client's frames on $",
                    .words(FactWords("type", of: "a frame on a stream", FrameNote.typesOfStreams)))
            case .fields: FactRow("the field names of the request on $", .list)
            case .window: FactRow("the bytes by which the client widened the window of $", .number)
            case .weight: FactRow("the weight of $", .number)
            case .dependency: FactRow("the stream that $ depends on", .number)
            case .exclusive: FactRow("whether $ depends on another one alone", .flag)
            case .priority: FactRow("the priority of $")
            }
        }
    }

    /// A fact about one HTTP/2 connection.
    package enum HTTP2Fact: String, GroupedFact {
        /// The parameters in the client's first SETTINGS frame.
        case headerTableSize = "settings.header-table-size"
        case enablePush = "settings.enable-push"
        case maxConcurrentStreams = "settings.max-concurrent-streams"
        case initialWindowSize = "settings.initial-window-size"
        case maxFrameSize = "settings.max-frame-size"
        case maxHeaderListSize = "settings.max-header-list-size"
        case enableConnectProtocol = "settings.enable-connect-protocol"
        case noRFC7540Priorities = "settings.no-rfc7540-priorities"
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
            case .settingsAcknowledged, .settingsSent: nil
            default: FactName.setting(of: rawValue)
            }
        }

        package var row: FactRow {
            switch self {
            case .headerTableSize, .enablePush, .maxConcurrentStreams, .initialWindowSize, .maxFrameSize,
                .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities:
                FactRow("NAME in the client's first SETTINGS on $", .number, setting)
            case .settingsAcknowledged:
                FactRow("the number of the server's SETTINGS that the client acknowledged on $", .number)
            case .settingsSent: FactRow("the number of the client's SETTINGS on $", .number)
            case .pingsAcknowledged:
                FactRow("the number of the server's PINGs that the client acknowledged on $", .number)
            case .window: FactRow("the bytes by which the client widened the window of $", .number)
            case .goaway: FactRow("the code of the client's GOAWAY on $", .word(.errorCodes))
            case .goawayHeeded: FactRow("whether the client opened no stream after the server's GOAWAY on $", .flag)
            case .violations:
                FactRow(
                    "the violations on $",
                    .kinds(FactWords("violation", of: "a connection of HTTP/2", FrameViolationNote.kinds)))
            }
        }
    }

    /// The parameter of a fact `settings.…`, as the journal spells it; nil for another name.
    static func setting(of name: String) -> String? {
        name.dropping(prefix: "settings.").map { String($0.uppercased().map { $0 == "-" ? "_" : $0 }) }
    }
}

extension FactWords {
    fileprivate static let errorCodes = FactWords("error code", FrameNote.codes)
}
