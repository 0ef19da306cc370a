import ProctorWebSocket

/// Chapter 5: messages in frames.
enum FragmentRows {
    static let rows: [Row] = [
        Row(
            "5.1 ping in two frames", [.ping(Array("a".utf8), isFinal: false), .more("b")],
            ["control-frame-fragmented 0 0", "ping a", "continuation-without-start 1 0"]),
        Row(
            "5.2 pong in two frames", [.pong("a", isFinal: false), .more("b")],
            ["control-frame-fragmented 0 0", "pong a", "continuation-without-start 1 0"]),
        Row(
            "5.3 text in two frames", [.text("fragment1", isFinal: false), .more("fragment2")],
            ["text fragment1fragment2"]),
        Row(
            "5.6 ping within a text", [.text("a", isFinal: false), .ping("p"), .more("b")], ["ping p", "text ab"]),
        Row(
            "5.9 a continuation with FIN, without a start, before a text", [.more("no"), .text("Hello")],
            ["continuation-without-start 0 0", "text Hello"]),
        Row(
            "5.12 a continuation without FIN and start, before a text", [.more("no", isFinal: false), .text("Hello")],
            ["continuation-without-start 0 0", "text Hello"]),
        Row(
            "5.15 a continuation behind a message in two frames",
            [.text("a", isFinal: false), .more("b"), .more("c", isFinal: false), .text("d")],
            ["text ab", "continuation-without-start 2 0", "text d"]),
        Row(
            "5.16 a continuation without FIN, before a message in two frames, twice",
            [
                .more("no", isFinal: false), .text("a", isFinal: false), .more("b"),
                .more("no", isFinal: false), .text("c", isFinal: false), .more("d"),
            ],
            ["continuation-without-start 0 0", "text ab", "continuation-without-start 3 0", "text cd"]),
        Row(
            "5.17 a continuation with FIN, before a message in two frames, twice",
            [.more("no"), .text("a", isFinal: false), .more("b"), .more("no"), .text("c", isFinal: false), .more("d")],
            ["continuation-without-start 0 0", "text ab", "continuation-without-start 3 0", "text cd"]),
        Row(
            "5.18 a text within a text", [.text("a", isFinal: false), .text("b")],
            ["message-interrupted 1 0", "text a…", "text b"]),
        Row(
            "5.18 a binary within a text, and the rest of it",
            [.text("a", isFinal: false), .binary([1], isFinal: false), .more(bytes: [2])],
            ["message-interrupted 1 0", "text a…", "binary 01 02"]),
        Row(
            "5.19 five frames with two pings within",
            [
                .text("1", isFinal: false), .more("2", isFinal: false), .ping("p1"), .more("3", isFinal: false),
                .more("4", isFinal: false), .ping("p2"), .more("5"),
            ], ["ping p1", "ping p2", "text 12345"]),
        Row(
            "5 a close within a message", [.text("a", isFinal: false), .close(1001), .more("b")],
            ["close 1001 ", "frame-after-close 2 0", "text a…"]),
        Row(
            "5 empty frames within a message",
            [.text("", isFinal: false), .more("", isFinal: false), .more("a", isFinal: false), .more("")], ["text a"]),
        Row(
            "5 a message of empty frames", [.binary([], isFinal: false), .more("", isFinal: false), .more("")],
            ["binary "]),
    ]
}
