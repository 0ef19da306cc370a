@testable import ProctorHTTP2

/// Single frames: lengths, streams, flags, padding and values of settings.
enum FrameRows {
    static let rows: [Row] = lengths + streams + padding + settings

    /// Every wrong length of the types with one length, and each right one.
    private static let lengths: [Row] = {
        var rows: [Row] = []
        for (type, right, section) in [(3, 4, 4), (6, 8, 7), (8, 4, 9)] as [(UInt8, Int, Int)] {
            for count in [0, right - 1, right, right + 1, 20] {
                let stream: UInt32 = type == 6 ? 0 : 1
                let payload = [UInt8](repeating: 1, count: count)
                let wrong = count == right ? [] : ["wrong-length FS connection 9113 §6.\(section)"]
                rows.append(
                    Row(
                        "type \(type) with \(count) bytes", .server,
                        [.head(1, ends: false), .frame(type, 0, stream, payload)], wrong))
            }
        }
        for count in [0, 4, 5, 6] {
            rows.append(
                Row(
                    "PRIORITY with \(count) bytes", .server, [.frame(2, 0, 1, [UInt8](repeating: 0, count: count))],
                    count == 5 ? [] : ["wrong-length FS stream 9113 §6.3"]))
        }
        for count in [0, 3, 7, 8, 9, 40] {
            rows.append(
                Row(
                    "GOAWAY with \(count) bytes", .server, [.frame(7, 0, 0, [UInt8](repeating: 0, count: count))],
                    count >= 8 ? [] : ["wrong-length FS connection 9113 §4.2"]))
        }
        for count in [1, 5, 6, 7, 12, 13] {
            rows.append(
                Row(
                    "SETTINGS with \(count) bytes", .server, [.frame(4, 0, 0, [UInt8](repeating: 0, count: count))],
                    count % 6 == 0 ? [] : ["wrong-length FS connection 9113 §6.5"]))
        }
        rows.append(
            Row(
                "an acknowledgement of SETTINGS with bytes", .server,
                [.ours(.settings([])), .frame(4, 1, 0, [0, 0, 0, 0, 0, 0])], ["wrong-length FS connection 9113 §6.5"]))
        for count in [0, 3, 4, 9] {
            rows.append(
                Row(
                    "PRIORITY_UPDATE with \(count) bytes", .server,
                    [.frame(16, 0, 0, [UInt8](repeating: 1, count: count))],
                    count >= 4 ? [] : ["wrong-length FS connection 9113 §4.2"]))
        }
        rows.append(
            Row(
                "HEADERS too short for its priority", .server, [.frame(1, 0x24, 1, [0, 0, 0, 0])],
                ["wrong-length FS connection 9113 §4.2"]))
        rows.append(
            Row(
                "PUSH_PROMISE too short", .client, [.ourHead(1), .frame(5, 4, 1, [0, 0, 2])],
                ["wrong-length FS connection 9113 §4.2"]))
        rows.append(
            Row(
                "padded DATA without a pad length", .server, [.head(1, ends: false), .frame(0, 8, 1)],
                ["wrong-length FS stream 9113 §4.2"]))
        rows.append(
            Row("DATA of the largest size", .server, [.head(1, ends: false), .data(1, 16_384)]))
        rows.append(
            Row(
                "DATA above the largest size", .server, [.head(1, ends: false), .data(1, 16_385), .data(1)],
                ["frame-too-long FS stream 9113 §4.2"]))
        for (type, stream) in [(1, 1), (4, 0), (5, 1), (6, 0), (9, 1), (0x77, 0)] as [(UInt8, UInt32)] {
            rows.append(
                Row(
                    "type \(type) above the largest size", .server,
                    [.frame(type, 0, stream, [UInt8](repeating: 0, count: 16_385))],
                    ["frame-too-long FS connection 9113 §4.2"]))
        }
        rows.append(
            Row(
                "an unknown type above the largest size on a stream", .server,
                [.frame(0x77, 0, 1, [UInt8](repeating: 0, count: 16_385))], ["frame-too-long FS stream 9113 §4.2"]))
        return rows
    }()

    private static let streams: [Row] = {
        var rows: [Row] = []
        for (type, payload, section) in [
            (0, [1], 1), (1, [], 2), (2, [0, 0, 0, 0, 0], 3), (3, [0, 0, 0, 0], 4), (5, [0, 0, 0, 2], 6), (9, [], 10),
        ] as [(UInt8, [UInt8], Int)] {
            rows.append(
                Row(
                    "type \(type) on the connection", .server, [.frame(type, 0, 0, payload)],
                    ["missing-stream P connection 9113 §6.\(section)"]))
        }
        for (type, count, section) in [
            (4, 0, "9113 §6.5"), (6, 8, "9113 §6.7"), (7, 8, "9113 §6.8"), (16, 5, "9218 §7.1"),
        ] as [(UInt8, Int, String)] {
            rows.append(
                Row(
                    "type \(type) on a stream", .server, [.frame(type, 0, 1, [UInt8](repeating: 1, count: count))],
                    ["unwanted-stream P connection \(section)"]))
        }
        for type in [0xA, 0xC, 0x11, 0x77, 0xFF] as [UInt8] {
            rows.append(
                Row(
                    "type \(type) on the connection is ignored", .server, [.frame(type, 0xFF, 0, [1, 2, 3])],
                    []))
            rows.append(Row("type \(type) on an idle stream is ignored", .client, [.frame(type, 0, 9, [])]))
        }
        rows.append(
            Row(
                "a reserved bit", .server,
                [.peer(Frame(.ping, hasReservedBit: true, payload: [1, 2, 3, 4, 5, 6, 7, 8]))],
                ["reserved-bit - none 9113 §4.1"]))
        for (type, flags) in [(6, 2), (8, 1), (2, 0x20), (3, 1), (7, 1)] as [(UInt8, UInt8)] {
            let count = [6: 8, 8: 4, 2: 5, 3: 4, 7: 8][type] ?? 0
            rows.append(
                Row(
                    "type \(type) with flags \(flags)", .server,
                    [
                        .head(1, ends: false),
                        .frame(type, flags, type == 6 || type == 7 ? 0 : 1, [UInt8](repeating: 1, count: count)),
                    ],
                    ["undefined-flag - none 9113 §4.1"]))
        }
        rows.append(
            Row(
                "a window of the connection that grows by 0", .server, [.window(0)],
                ["window-increment-zero P connection 9113 §6.9"]))
        rows.append(
            Row(
                "a window of a stream that grows by 0", .server, [.head(1), .window(0, 1)],
                ["window-increment-zero P stream 9113 §6.9"]))
        rows.append(
            Row(
                "a priority of stream 0", .server, [.frame(16, 0, 0, [0, 0, 0, 0])],
                ["prioritized-stream-zero P connection 9218 §7.1"]))
        rows.append(
            Row(
                "a promise of stream 0", .client,
                [.ourHead(1), .peer(.pushPromise(0, block(Row.Step.request), on: 1))],
                ["promised-stream-zero P connection 9113 §6.6"]))
        return rows
    }()

    private static let padding: [Row] = [
        Row("DATA with padding", .server, [.head(1, ends: false), .data(1, 3, padding: 255)]),
        Row("DATA of padding alone", .server, [.head(1, ends: false), .data(1, 0, ends: true, padding: 5)]),
        Row("DATA with a pad length of 0", .server, [.head(1, ends: false), .data(1, 1, padding: 0)]),
        Row("DATA whose padding is its payload", .server, [.head(1, ends: false), .frame(0, 8, 1, [3, 0, 0, 0])]),
        Row(
            "DATA whose padding is longer by one", .server, [.head(1, ends: false), .frame(0, 8, 1, [4, 0, 0, 0])],
            ["padding-too-long P connection 9113 §6.1"]),
        Row(
            "DATA whose padding has no room", .server, [.head(1, ends: false), .frame(0, 8, 1, [1])],
            ["padding-too-long P connection 9113 §6.1"]),
        Row(
            "DATA with other padding than zeros", .server, [.head(1, ends: false), .frame(0, 8, 1, [2, 0x61, 0, 1])],
            ["padding-not-zero - none 9113 §6.1"]),
        Row(
            "HEADERS with padding and priority", .server,
            [
                .peer(
                    .headers(
                        block(Row.Step.request), on: 1, endsStream: true, dependency: StreamDependency(on: 0),
                        padding: 9))
            ]),
        Row(
            "HEADERS whose padding is too long", .server, [.frame(1, 0xC, 1, [9, 0x82])],
            ["padding-too-long P connection 9113 §6.2"]),
        Row(
            "a stream that depends on itself", .server,
            [.peer(.headers(block(Row.Step.request), on: 1, endsStream: true, dependency: StreamDependency(on: 1)))]),
    ]

    private static let settings: [Row] = {
        let p = "P connection 9113 §6.5.2"
        let cases: [(Setting.Identifier, UInt32, ConnectionState.Role, String?)] = [
            (.enablePush, 0, .server, nil), (.enablePush, 1, .server, nil),
            (.enablePush, 2, .server, "bad-enable-push \(p)"),
            (.enablePush, 0, .client, nil), (.enablePush, 1, .client, "bad-enable-push \(p)"),
            (.initialWindowSize, 0, .server, nil), (.initialWindowSize, 0x7FFF_FFFF, .server, nil),
            (.initialWindowSize, 0x8000_0000, .server, "bad-initial-window-size FC connection 9113 §6.5.2"),
            (.initialWindowSize, 0xFFFF_FFFF, .server, "bad-initial-window-size FC connection 9113 §6.5.2"),
            (.maxFrameSize, 16_383, .server, "bad-max-frame-size \(p)"), (.maxFrameSize, 16_384, .server, nil),
            (.maxFrameSize, 16_777_215, .client, nil), (.maxFrameSize, 16_777_216, .client, "bad-max-frame-size \(p)"),
            (.maxFrameSize, 0, .client, "bad-max-frame-size \(p)"),
            (.headerTableSize, 0, .server, nil), (.headerTableSize, .max, .server, nil),
            (.maxConcurrentStreams, 0, .client, nil), (.maxConcurrentStreams, .max, .client, nil),
            (.maxHeaderListSize, 0, .client, nil), (.enableConnectProtocol, 0, .client, nil),
            (.enableConnectProtocol, 1, .client, nil),
            (.enableConnectProtocol, 2, .client, "bad-enable-connect-protocol P connection 8441 §3"),
            (.noRFC7540Priorities, 0, .server, nil),
            (.noRFC7540Priorities, 2, .server, "bad-no-priorities P connection 9218 §2.1"),
            (.noRFC7540Priorities, 1, .server, "no-priorities-changed P connection 9218 §2.1"),
            (Setting.Identifier(rawValue: 0x7), 9, .server, nil),
            (Setting.Identifier(rawValue: 0xFAFA), .max, .client, nil),
        ]
        let values = cases.map { identifier, value, role, wrong in
            Row("\(identifier) \(value)", role, [.set(identifier, value)], wrong.map { [$0] } ?? [])
        }
        return values + [
            Row("NO_RFC7540_PRIORITIES in the first SETTINGS", .server, [.set(.noRFC7540Priorities, 1)], begins: false),
            Row(
                "ENABLE_CONNECT_PROTOCOL taken back", .client,
                [.set(.enableConnectProtocol, 1), .set(.enableConnectProtocol, 0)],
                ["connect-protocol-taken-back P connection 8441 §3"]),
            Row("an acknowledgement", .server, [.ours(.settings([])), .peer(.settingsAck)]),
            Row(
                "an acknowledgement of nothing", .server, [.peer(.settingsAck)],
                ["unexpected-settings-ack - none 9113 §6.5.3"]),
            Row(
                "two for one", .server, [.ours(.settings([])), .peer(.settingsAck), .peer(.settingsAck)],
                ["unexpected-settings-ack - none 9113 §6.5.3"]),
            Row(
                "PING first", .server, [.peer(.ping([1, 2, 3, 4, 5, 6, 7, 8]))],
                ["first-frame-not-settings P connection 9113 §3.4"], begins: false),
            Row(
                "HEADERS first", .server, [.head(1)], ["first-frame-not-settings P connection 9113 §3.4"], begins: false
            ),
            Row(
                "an acknowledgement first", .client, [.ours(.settings([])), .peer(.settingsAck)],
                ["first-frame-not-settings P connection 9113 §3.4"], begins: false),
        ]
    }()
}
