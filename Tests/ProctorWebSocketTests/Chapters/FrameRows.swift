import ProctorWebSocket

/// Chapters 1 to 4: framing, pings and pongs, reserved bits, opcodes.
enum FrameRows {
    static let rows: [Row] = framing + pings + reservedBits + opcodes + lengths

    private static let framing: [Row] =
        [0, 1, 125, 126, 127, 128, 300].flatMap { count in
            let stars = String(repeating: "*", count: count)
            let shown = count > 200 ? "(\(count))" : stars
            return [
                Row("1.1 text of \(count) bytes", [.text(stars)], ["text \(shown)"]),
                Row("1.2 binary of \(count) bytes", [.binary(repeated(count))], ["binary \(shown)"]),
            ]
        }
        + [65_535, 65_536].flatMap { count in
            [
                Row("1.1 text of \(count) bytes", [.text(bytes: repeated(count))], ["text (\(count))"]),
                Row("1.2 binary of \(count) bytes", [.binary(repeated(count, 0xFE))], ["binary (\(count))"]),
            ]
        }

    private static let pings: [Row] = [
        Row("2.1 ping without payload", [.ping(), .close(1000)], ["ping ", "close 1000 "]),
        Row("2.2 ping with text", [.ping("Hello, world!")], ["ping Hello, world!"]),
        Row("2.3 ping with bytes that are no text", [.ping([0, 0xFF, 0xFE, 0xFD])], ["ping 00 ff fe fd"]),
        Row("2.4 ping of 125 bytes", [.ping(repeated(125))], ["ping \(String(repeating: "*", count: 125))"]),
        Row("2.5 ping of 126 bytes", [.ping(repeated(126)), .text("a")], ["control-frame-too-long 0 1", "text a"]),
        Row("2.5 ping of 65536 bytes", [.ping(repeated(65_536)), .ping()], ["control-frame-too-long 0 1", "ping "]),
        Row("2.7 pong that nobody asked for", [.pong(), .ping("a")], ["pong ", "ping a"]),
        Row("2.8 pong with payload that nobody asked for", [.pong("unasked")], ["pong unasked"]),
        Row("2.9 pong, then ping", [.pong("unasked"), .ping("asked")], ["pong unasked", "ping asked"]),
        Row("2.10 ten pings", (0..<10).map { .ping("payload-\($0)") }, (0..<10).map { "ping payload-\($0)" }),
    ]

    private static let reservedBits: [Row] = [
        Row("3.1 RSV1 on text", [.text("Hello").with(.rsv1)], ["reserved-bit 0 0", "text Hello"]),
        Row(
            "3.2 RSV2 behind a message", [.text("a"), .text("b").with(.rsv2), .ping()],
            ["text a", "reserved-bit 1 0", "text b", "ping "]),
        Row(
            "3.3 RSV1 and RSV2", [.text("a"), .text("b").with([.rsv1, .rsv2]), .ping()],
            ["text a", "reserved-bit 1 0", "text b", "ping "]),
        Row("3.4 RSV3", [.text("a"), .text("b").with(.rsv3)], ["text a", "reserved-bit 1 0", "text b"]),
        Row("3.5 RSV1 and RSV3 on binary", [.binary([1]).with([.rsv1, .rsv3])], ["reserved-bit 0 0", "binary 01"]),
        Row("3.6 RSV2 and RSV3 on ping", [.ping("a").with([.rsv2, .rsv3])], ["reserved-bit 0 0", "ping a"]),
        Row(
            "3.7 all bits on close", [.close(1000).with([.rsv1, .rsv2, .rsv3])], ["reserved-bit 0 0", "close 1000 "]),
        Row(
            "3 a bit on a continuation", [.text("a", isFinal: false), .more("b").with(.rsv3)],
            ["reserved-bit 1 0", "text ab"]),
        Row("3 a bit of another extension", [.text("a").with(.rsv2)], ["text a"], bits: .rsv2),
        Row(
            "3 one bit of another extension and one of none", [.text("a").with([.rsv2, .rsv3])],
            ["reserved-bit 0 0", "text a"], bits: .rsv2),
    ]

    private static let opcodes: [Row] = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).flatMap { number in
        let opcode = Opcode(rawValue: number)
        let chapter = number < 8 ? "4.1" : "4.2"
        return [
            Row("\(chapter) opcode \(number) without payload", [WebSocketFrame(opcode)], ["unknown-opcode 0 0"]),
            Row(
                "\(chapter) opcode \(number) between messages",
                [.text("a"), WebSocketFrame(opcode, payload: repeated(130)), .ping()],
                ["text a", "unknown-opcode 1 0", "ping "]),
            Row(
                "\(chapter) opcode \(number) within a message",
                [.text("a", isFinal: false), WebSocketFrame(opcode, payload: [1]), .more("b")],
                ["unknown-opcode 1 0", "text ab"]),
        ]
    }

    private static let lengths: [Row] = [
        Row(
            "two bytes say a length below 126", [.text("Hello").departing { $0.lengthForm = .medium }, .text("a")],
            ["length-not-minimal 0 2", "text Hello", "text a"]),
        Row(
            "eight bytes say a length below 126", [.text("Hello").departing { $0.lengthForm = .long }],
            ["length-not-minimal 0 2", "text Hello"]),
        Row(
            "eight bytes say a length below 65536", [.binary(repeated(300)).departing { $0.lengthForm = .long }],
            ["length-not-minimal 0 2", "binary (300)"]),
        Row(
            "two bytes say the length of a ping", [.ping("a").departing { $0.lengthForm = .medium }],
            ["length-not-minimal 0 2", "ping a"]),
        Row(
            "the first bit of a length",
            [.text("a").departing { $0.statedByteCount = 1 << 63 | 1 }, .text("b")], ["length-top-bit 0 2"]),
        Row(
            "the first bit of a length of ping", [.ping("a").departing { $0.statedByteCount = .max }],
            ["control-frame-too-long 0 1", "length-top-bit 0 2"]),
        Row(
            "the largest length", [.text("a").departing { $0.statedByteCount = .max >> 1 }, .text("b")],
            ["frame-too-long 0 1"]),
    ]
}
