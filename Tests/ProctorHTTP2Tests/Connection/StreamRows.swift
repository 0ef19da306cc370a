@testable import ProctorHTTP2

/// Streams, field blocks, windows, GOAWAY and pushes.
enum StreamRows {
    static let rows: [Row] = states + blocks + windows + pushes

    private static let idle = "frame-on-idle-stream P connection 9113 §5.1"
    private static let halfClosed = "frame-on-half-closed-stream SC stream 9113 §5.1"
    private static let closed = "frame-on-closed-stream SC connection 9113 §5.1"
    private static let tooMany = "too-many-streams RS stream 9113 §5.1.2"

    private static let states: [Row] = [
        Row("a request", .server, [.head(1)]),
        Row("requests with gaps", .server, [.head(1), .head(5), .head(0x7FFF_FFFF)]),
        Row("a request with content", .server, [.head(1, ends: false), .data(1), .data(1, ends: true)]),
        Row("content ended by an empty frame", .server, [.head(1, ends: false), .data(1), .data(1, 0, ends: true)]),
        Row("a request with trailers", .server, [.head(1, ends: false), .data(1), .head(1, "x=y")]),
        Row(
            "trailers without END_STREAM", .server, [.head(1, ends: false), .head(1, "x=y", ends: false)],
            ["trailers-without-end P stream 9113 §8.1"]),
        Row("DATA on an idle stream", .server, [.data(1)], [idle]),
        Row("DATA on an idle stream of ours", .server, [.data(2)], [idle]),
        Row("RST_STREAM on an idle stream", .server, [.reset(1)], [idle]),
        Row("WINDOW_UPDATE on an idle stream", .server, [.window(1, 1)], [idle]),
        Row(
            "CONTINUATION on an idle stream", .server, [.peer(.continuation([], on: 1))],
            ["continuation-without-headers P connection 9113 §6.10"]),
        Row("PRIORITY on an idle stream", .server, [.peer(.priority(StreamDependency(on: 0), on: 7)), .head(1)]),
        Row("PRIORITY_UPDATE of an idle stream", .server, [.peer(.priorityUpdate(1, Array("u=1".utf8))), .head(1)]),
        Row("DATA behind END_STREAM", .server, [.head(1), .data(1)], [halfClosed]),
        Row("HEADERS behind END_STREAM", .server, [.head(1), .head(1, "x=y")], [halfClosed]),
        Row("WINDOW_UPDATE behind END_STREAM", .server, [.head(1), .window(5, 1)]),
        Row("RST_STREAM behind END_STREAM", .server, [.head(1), .reset(1)]),
        Row("PRIORITY behind END_STREAM", .server, [.head(1), .peer(.priority(StreamDependency(on: 0), on: 1))]),
        Row("DATA on a closed stream", .server, [.head(1), .ourHead(1), .data(1)], [closed]),
        Row("HEADERS on a closed stream", .server, [.head(1), .ourHead(1), .head(1)], [closed]),
        Row("WINDOW_UPDATE on a closed stream", .server, [.head(1), .ourHead(1), .window(5, 1)]),
        Row("RST_STREAM on a closed stream", .server, [.head(1), .ourHead(1), .reset(1)]),
        Row(
            "PRIORITY on a closed stream", .server,
            [.head(1), .ourHead(1), .peer(.priority(StreamDependency(on: 0), on: 1))]),
        Row(
            "DATA behind its RST_STREAM", .server, [.head(1, ends: false), .reset(1), .data(1)],
            ["frame-on-closed-stream SC stream 9113 §5.1"]),
        Row(
            "HEADERS behind its RST_STREAM", .server, [.head(1, ends: false), .reset(1), .head(1, "x=y")],
            ["frame-on-closed-stream SC stream 9113 §5.1"]),
        Row("DATA behind our RST_STREAM", .server, [.head(1, ends: false), .ours(.resetStream(1, .cancel)), .data(1)]),
        Row(
            "HEADERS behind our RST_STREAM", .server,
            [.head(1, ends: false), .ours(.resetStream(1, .cancel)), .head(1, "x=y")]),
        Row("an even stream of a client", .server, [.head(2)], ["wrong-stream-parity P connection 9113 §5.1.1"]),
        Row(
            "a stream that was left out", .server, [.head(5), .head(3)],
            ["stream-number-not-higher P connection 9113 §5.1.1"]),
        Row(
            "DATA on a stream that was left out", .server, [.head(5), .data(3)],
            ["stream-number-not-higher P connection 9113 §5.1.1"]),
        Row("as many streams as allowed", .server, Row.Step.ourSet(.maxConcurrentStreams, 2) + [.head(1), .head(3)]),
        Row(
            "one stream more", .server, Row.Step.ourSet(.maxConcurrentStreams, 2) + [.head(1), .head(3), .head(5)],
            [tooMany]),
        Row("no stream allowed", .server, Row.Step.ourSet(.maxConcurrentStreams, 0) + [.head(1)], [tooMany]),
        Row(
            "room after a response", .server,
            Row.Step.ourSet(.maxConcurrentStreams, 1) + [.head(1), .ourHead(1), .head(3)]),
        Row(
            "room after a reset", .server, Row.Step.ourSet(.maxConcurrentStreams, 1) + [.head(1), .reset(1), .head(3)]),
        Row(
            "a stream before the limit is known", .server,
            [.ours(.settings([Setting(.maxConcurrentStreams, 1)])), .head(1), .head(3)], [tooMany]),
        Row("a response", .client, [.ourHead(1), .head(1, ":status=200")]),
        Row(
            "an interim response", .client,
            [.ourHead(1), .head(1, ":status=103", ends: false), .head(1, ":status=200")]),
        Row("a response without a request", .client, [.head(1, ":status=200")], [idle]),
        Row("a response on an even stream", .client, [.head(2, ":status=200")], [idle]),
        Row("DATA before the response", .client, [.ourHead(1), .data(1)], ["data-before-head P stream 9113 §8.1"]),
        Row(
            "DATA behind an interim response", .client, [.ourHead(1), .head(1, ":status=100", ends: false), .data(1)],
            ["data-before-head P stream 9113 §8.1"]),
        Row(
            "an interim response that ends the stream", .client, [.ourHead(1), .head(1, ":status=100")],
            ["interim-ends-stream P stream 9113 §8.1", "end-without-head P stream 9113 §8.1"]),
        Row(
            "two final responses", .client,
            [.ourHead(1), .head(1, ":status=200", ends: false), .head(1, ":status=200")],
            ["pseudo-field-in-trailers P stream 9113 §8.1"]),
        Row(
            "content to HEAD", .client,
            [.ourHead(1), .method("HEAD", 1), .head(1, ":status=200|content-length=5", ends: false), .data(1)],
            ["content-not-allowed P stream 9110 §6.4.1"]),
        Row(
            "a length in a response to HEAD", .client,
            [.ourHead(1), .method("HEAD", 1), .head(1, ":status=200|content-length=5")]),
        Row("a length in 304", .client, [.ourHead(1), .head(1, ":status=304|content-length=5")]),
        Row(
            "content in 204", .client, [.ourHead(1), .head(1, ":status=204", ends: false), .data(1)],
            ["content-not-allowed P stream 9110 §6.4.1"]),
        Row(
            "a tunnel", .client,
            [
                .ourHead(1, ends: false), .method("CONNECT", 1), .head(1, ":status=200", ends: false), .data(1),
                .data(1, ends: true),
            ]),
        Row(
            "HEADERS in a tunnel", .client,
            [.ourHead(1, ends: false), .method("CONNECT", 1), .head(1, ":status=200", ends: false), .head(1, "x=y")],
            ["headers-in-tunnel P stream 9113 §8.5"]),
        Row(
            "HEADERS in a tunnel to a server", .server,
            [.head(1, ":method=CONNECT|:authority=a:1", ends: false), .tunnel(1), .head(1, "x=y")],
            ["headers-in-tunnel P stream 9113 §8.5"]),
        Row(
            "a GOAWAY that becomes lower", .client,
            [.peer(.goAway(lastStream: 0x7FFF_FFFF, .noError)), .peer(.goAway(lastStream: 1, .noError))]),
        Row(
            "a GOAWAY that becomes higher", .client,
            [.peer(.goAway(lastStream: 1, .noError)), .peer(.goAway(lastStream: 3, .noError))],
            ["goaway-stream-higher P connection 9113 §6.8"]),
        Row(
            "a request that crosses our GOAWAY", .server, [.ours(.goAway(lastStream: 0, .noError)), .head(1), .data(1)]),
        Row(
            "a request behind a GOAWAY that was seen", .server,
            [
                .ours(.goAway(lastStream: 0, .noError)), .ours(.ping([1, 2, 3, 4, 5, 6, 7, 8])),
                .peer(.ping([1, 2, 3, 4, 5, 6, 7, 8], isAck: true)), .head(1),
            ],
            ["stream-after-goaway - none 9113 §6.8"]),
        Row(
            "a stream below our GOAWAY goes on", .server,
            [.head(1, ends: false), .ours(.goAway(lastStream: 1, .noError)), .data(1, ends: true)]),
        Row(
            "PRIORITY_UPDATE of a server", .client, [.peer(.priorityUpdate(1, []))],
            ["priority-update-by-server P connection 9218 §7.1"]),
    ]

    private static func wrong(_ name: String, _ make: (inout RawBlock) -> Void) -> Row {
        var block = RawBlock()
        make(&block)
        return Row(
            name, .server, [.peer(.headers(block.bytes, on: 1, endsStream: true))],
            ["compression-error C connection 9113 §4.3"])
    }

    private static let blocks: [Row] = [
        Row(
            "a block in three frames", .server,
            [
                .peer(.headers(block(Row.Step.request).prefix(3), on: 1, endsStream: true, endsHeaders: false)),
                .peer(.continuation(block(Row.Step.request).dropFirst(3).prefix(9), on: 1, endsHeaders: false)),
                .peer(.continuation(block(Row.Step.request).dropFirst(12), on: 1)),
            ]),
        Row(
            "an empty CONTINUATION at the end", .server,
            [.head(1, endsHeaders: false), .peer(.continuation([], on: 1))]),
        Row(
            "PING within a block", .server, [.head(1, endsHeaders: false), .peer(.ping([1, 2, 3, 4, 5, 6, 7, 8]))],
            ["field-block-interrupted P connection 9113 §6.10"]),
        Row(
            "an unknown frame within a block", .server, [.head(1, endsHeaders: false), .frame(0x77)],
            ["field-block-interrupted P connection 9113 §6.10"]),
        Row(
            "DATA within a block", .server, [.head(1, ends: false), .head(3, endsHeaders: false), .data(1)],
            ["field-block-interrupted P connection 9113 §6.10"]),
        Row(
            "CONTINUATION of another stream", .server, [.head(1, endsHeaders: false), .peer(.continuation([], on: 3))],
            ["field-block-interrupted P connection 9113 §6.10"]),
        Row(
            "CONTINUATION behind a whole block", .server, [.head(1), .peer(.continuation([], on: 1))],
            ["continuation-without-headers P connection 9113 §6.10"]),
        Row(
            "HEADERS within a block", .server, [.head(1, endsHeaders: false), .head(3)],
            ["field-block-interrupted P connection 9113 §6.10", "compression-error C connection 9113 §4.3"]),
        wrong("index 0") { $0.indexed(0) },
        wrong("index 62 of an empty table") { $0.indexed(62) },
        wrong("a name with an index beyond the table") { $0.literal(.without, nameIndex: 70, value: [0x61]) },
        wrong("an integer that overflows") { $0.append([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]) },
        wrong("an integer that is cut off") { $0.append([0xFF, 0x80]) },
        wrong("a string longer than the block") { $0.append([0x00, 0x05, 0x61]) },
        wrong("a field without its value") { $0.append([0x00, 0x01, 0x61]) },
        wrong("Huffman padding of zeros") {
            $0.append([0x00, 0x01, 0x61]); $0.huffman([0x18])
        },
        wrong("Huffman padding of a whole byte") {
            $0.append([0x00, 0x01, 0x61]); $0.huffman([0x1F, 0xFF])
        },
        wrong("EOS in a string") {
            $0.append([0x00, 0x01, 0x61]); $0.huffman([0xFF, 0xFF, 0xFF, 0xFF])
        },
        wrong("a table above the setting") { $0.tableSize(4_097) },
        wrong("an update behind a field") {
            $0.indexed(2); $0.tableSize(0)
        },
        wrong("an update at the end") {
            $0.indexed(0x82 & 0x7F); $0.tableSize(4_096)
        },
        Row(
            "two updates at the beginning", .server,
            [.peer(.headers([0x20, 0x3F, 0xE1, 0x1F] + block(Row.Step.request), on: 1, endsStream: true))]),
        Row(
            "a smaller table without an update", .server, Row.Step.ourSet(.headerTableSize, 0) + [.head(1)],
            ["compression-error C connection 9113 §4.3"]),
        Row(
            "a smaller table with its update", .server,
            Row.Step.ourSet(.headerTableSize, 0)
                + [.peer(.headers([0x20] + block(Row.Step.request), on: 1, endsStream: true))]),
        Row(
            "a block behind a broken one", .server, [.peer(.headers([0x80], on: 1)), .head(3)],
            ["compression-error C connection 9113 §4.3", "compression-error C connection 9113 §4.3"]),
        Row(
            "a list above the setting", .server, Row.Step.ourSet(.maxHeaderListSize, 100) + [.head(1)],
            ["header-list-too-long CALM stream 9113 §10.5.1", "pseudo-field-missing P stream 9113 §8.3"]),
    ]

    private static let windows: [Row] = [
        Row(
            "a window of a stream up to its end", .server,
            [.head(1, ends: false)] + Array(repeating: .data(1, 16_383), count: 4) + [.data(1, 3)]),
        Row(
            "one byte more", .server,
            [.head(1, ends: false)] + Array(repeating: .data(1, 16_383), count: 4) + [.data(1, 4)],
            ["connection-window-exceeded FC connection 9113 §6.9.1", "stream-window-exceeded FC stream 9113 §6.9.1"]),
        Row(
            "a stream's window alone", .server,
            Row.Step.ourSet(.initialWindowSize, 5) + [.head(1, ends: false), .data(1, 6)],
            ["stream-window-exceeded FC stream 9113 §6.9.1"]),
        Row(
            "padding counts", .server,
            Row.Step.ourSet(.initialWindowSize, 5) + [.head(1, ends: false), .data(1, 1, padding: 4)],
            ["stream-window-exceeded FC stream 9113 §6.9.1"]),
        Row(
            "padding that fits", .server,
            Row.Step.ourSet(.initialWindowSize, 6) + [.head(1, ends: false), .data(1, 1, padding: 4)]),
        Row(
            "a window that we made larger", .server,
            Row.Step.ourSet(.initialWindowSize, 5)
                + [.head(1, ends: false), .ours(.windowUpdate(1, on: 1)), .data(1, 6)]),
        Row(
            "a smaller window before its acknowledgement", .server,
            [.ours(.settings([Setting(.initialWindowSize, 0)])), .head(1, ends: false), .data(1, 6)]),
        Row(
            "a smaller window behind content", .server,
            [.head(1, ends: false), .data(1, 6)] + Row.Step.ourSet(.initialWindowSize, 5) + [.data(1, 0, ends: true)]),
        Row(
            "a negative window takes nothing", .server,
            [.head(1, ends: false), .data(1, 6)] + Row.Step.ourSet(.initialWindowSize, 5) + [.data(1, 1)],
            ["stream-window-exceeded FC stream 9113 §6.9.1"]),
        Row("the largest window of the connection", .server, [.window(0x7FFF_FFFF - 65_535)]),
        Row(
            "a window of the connection beyond it", .server, [.window(0x7FFF_FFFF - 65_534)],
            ["window-too-large FC connection 9113 §6.9.1"]),
        Row("the largest window of a stream", .server, [.head(1), .window(0x7FFF_FFFF - 65_535, 1)]),
        Row(
            "a window of a stream beyond it", .server, [.head(1), .window(0x7FFF_FFFF, 1)],
            ["window-too-large FC stream 9113 §6.9.1"]),
        Row(
            "SETTINGS that make a window too large", .server,
            [.head(1), .window(1, 1), .set(.initialWindowSize, 0x7FFF_FFFF)],
            ["window-too-large-by-settings FC connection 9113 §6.9.2"]),
        Row("SETTINGS that make a window the largest", .server, [.head(1), .set(.initialWindowSize, 0x7FFF_FFFF)]),
    ]

    private static func promise(_ promised: UInt32, on stream: UInt32 = 1, _ fields: String = Row.Step.request)
        -> Row.Step
    {
        .peer(.pushPromise(promised, block(fields), on: stream))
    }

    private static let pushes: [Row] = [
        Row("a push", .client, [.ourHead(1), promise(2), .head(2, ":status=200", ends: false), .data(2, ends: true)]),
        Row(
            "a push of a client", .server, [.head(1, ends: false), promise(2)],
            ["push-by-client P connection 9113 §8.4"]),
        Row(
            "a push that is disabled", .client, Row.Step.ourSet(.enablePush, 0) + [.ourHead(1), promise(2)],
            ["push-not-enabled P connection 9113 §6.6"]),
        Row(
            "a push before that is acknowledged", .client,
            [.ours(.settings([Setting(.enablePush, 0)])), .ourHead(1), promise(2)]),
        Row(
            "an odd promised stream", .client, [.ourHead(1), promise(3)],
            ["wrong-stream-parity P connection 9113 §5.1.1"]),
        Row(
            "a promised stream twice", .client, [.ourHead(1), promise(2), promise(2)],
            ["stream-number-not-higher P connection 9113 §5.1.1"]),
        Row("a push on an idle stream", .client, [promise(2)], ["push-on-wrong-stream P connection 9113 §6.6"]),
        Row(
            "a push behind the response", .client, [.ourHead(1), .head(1, ":status=200"), promise(2)],
            ["push-on-wrong-stream P connection 9113 §6.6"]),
        Row("a push on a stream that we reset", .client, [.ourHead(1), .ours(.resetStream(1, .cancel)), promise(2)]),
        Row(
            "a push of POST", .client, [.ourHead(1), promise(2, ":method=POST|:scheme=https|:authority=a|:path=/")],
            ["unsafe-push P stream 9113 §8.4"]),
        Row(
            "DATA on a reserved stream", .client, [.ourHead(1), promise(2), .data(2)],
            ["frame-on-reserved-stream P connection 9113 §5.1"]),
        Row(
            "WINDOW_UPDATE on a reserved stream", .client, [.ourHead(1), promise(2), .window(1, 2)],
            ["frame-on-reserved-stream P connection 9113 §5.1"]),
        Row("RST_STREAM on a reserved stream", .client, [.ourHead(1), promise(2), .reset(2)]),
    ]
}
