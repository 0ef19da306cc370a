import ProctorWebSocket

/// Chapter 7: Close.
enum CloseRows {
    static let rows: [Row] = order + bodies + codes

    private static let order: [Row] = [
        Row("7.1.1 a message, then close", [.text("Hello"), .close(1000)], ["text Hello", "close 1000 "]),
        Row("7.1.2 close twice", [.close(1000), .close(1001)], ["close 1000 ", "close 1001 "]),
        Row("7.1.3 ping behind close", [.close(1000), .ping("a")], ["close 1000 ", "ping a"]),
        Row("7.1.4 text behind close", [.close(1000), .text("a")], ["close 1000 ", "frame-after-close 1 0"]),
        Row(
            "7.1.4 several texts behind close are one violation", [.close(1000), .text("a"), .binary([1]), .pong("b")],
            ["close 1000 ", "frame-after-close 1 0", "pong b"]),
        Row(
            "7.1.5 close between two frames of a message", [.text("a", isFinal: false), .close(1000), .more("b")],
            ["close 1000 ", "frame-after-close 2 0", "text a…"]),
    ]

    private static let bodies: [Row] = [
        Row("7.3.1 no payload", [.close()], ["close - "]),
        Row("7.3.2 one byte", [WebSocketFrame(.close, payload: [3])], ["close-body-of-one-byte 0 p0", "close - "]),
        Row("7.3.3 a code alone", [.close(1000)], ["close 1000 "]),
        Row("7.3.4 a code and a reason", [.close(1000, "bye")], ["close 1000 bye"]),
        Row(
            "7.3.5 a reason of 123 bytes", [.close(1000, String(repeating: "*", count: 123))],
            ["close 1000 \(String(repeating: "*", count: 123))"]),
        Row(
            "7.3.6 a reason of 124 bytes", [.close(1000, String(repeating: "*", count: 124))],
            ["control-frame-too-long 0 1"]),
        Row(
            "7.5.1 a reason with a surrogate", [.close(CloseCode(rawValue: 1000), reason: [0x61, 0xED, 0xA0, 0x80])],
            ["bad-close-reason 0 p4", "close 1000 61 ed a0 80"]),
        Row(
            "7.5.1 a reason that is cut off", [.close(CloseCode(rawValue: 1000), reason: [0xC3])],
            ["bad-close-reason 0 p3", "close 1000 c3"]),
        Row(
            "7 a wrong code with a wrong reason", [.close(CloseCode(rawValue: 1005), reason: [0xFF])],
            ["bad-close-code 0 p0", "bad-close-reason 0 p2", "close 1005 ff"]),
        Row(
            "7 a close in pieces", [WebSocketFrame(.close, isFinal: false, payload: [3, 0xE8])],
            ["control-frame-fragmented 0 0", "close 1000 "]),
    ]

    private static let codes: [Row] =
        ([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999] as [UInt16])
        .map { Row("7.7 the code \($0)", [.close($0, "a")], ["close \($0) a"]) }
        + ([0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999] as [UInt16]).map {
            Row("7.9 the code \($0)", [.close($0)], ["bad-close-code 0 p0", "close \($0) "])
        }
        + ([5000, 65535] as [UInt16]).map {
            Row("7.13 the code \($0)", [.close($0)], ["close-code-out-of-range 0 p0", "close \($0) "])
        }
}
