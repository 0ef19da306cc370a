import ProctorWebSocket

/// Chapter 9: bounds.
enum LimitRows {
    static let rows: [Row] = [
        Row("9.1 a text of 262144 bytes", [.text(bytes: repeated(262_144))], ["text (262144)"]),
        Row(
            "9.3 262144 bytes in frames of 4096", WebSocketFrame.dividing(repeated(262_144), .text, sizes: [4_096]),
            ["text (262144)"]),
        Row(
            "9.7 a thousand texts", repeated(1_000).map { .text(bytes: [$0]) }, Array(repeating: "text *", count: 1_000)
        ),
        Row("9 a frame of the bound", [.text("12345678")], ["text 12345678"], limits: small),
        Row(
            "9 a frame above the bound, and the next message", [.text("123456789"), .text("a")],
            ["frame-too-long 0 1", "text a"], limits: small),
        Row(
            "9 the rest of a message with a frame above the bound",
            [.text("a", isFinal: false), .more("123456789", isFinal: false), .more("b"), .text("c")],
            ["frame-too-long 1 1", "text a…", "text c"], limits: small),
        Row(
            "9 a message of the bound", WebSocketFrame.dividing(repeated(12), .binary, sizes: [4]),
            ["binary ************"], limits: small),
        Row(
            "9 a message above the bound", [.text("12345678", isFinal: false), .more("12345"), .ping()],
            ["message-too-long 1 1", "ping ", "text 12345678…"], limits: small),
        Row(
            "9 as many frames as the bound", WebSocketFrame.dividing(repeated(4), .binary, sizes: [1]),
            ["binary ****"], limits: small),
        Row(
            "9 one frame above the bound", WebSocketFrame.dividing(repeated(5), .binary, sizes: [1]),
            ["too-many-fragments 4 0", "binary ****…"], limits: small),
        Row(
            "9 empty frames count", WebSocketFrame.dividing([], .binary, sizes: [0, 0, 0, 0, 0, 0]) + [.text("a")],
            ["too-many-fragments 4 0", "binary …", "text a"], limits: small),
    ]

    static let small: WebSocketLimits = {
        var limits = WebSocketLimits()
        limits.frameByteCount = 8
        limits.messageByteCount = 12
        limits.fragmentCount = 4
        return limits
    }()
}
