import ProctorCoding
import ProctorWebSocket

/// Chapters 12 and 13: permessage-deflate, with the examples of RFC 7692 §7.2.3.
enum CompressionRows {
    static let rows: [Row] = examples + bits + wrong + messages

    private static let both = DeflateDirection()
    private static let alone = DeflateDirection(takesContextOver: false)
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    private static let again: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]

    private static func text(_ bytes: [UInt8], isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.text, isFinal: isFinal, reserved: .rsv1, payload: bytes)
    }

    private static let examples: [Row] = [
        Row("12 one block (§7.2.3.1)", [text(hello)], ["text Hello"], compression: both),
        Row(
            "12 two frames (§7.2.3.1)", [text(Array(hello[..<3]), isFinal: false), .more(bytes: Array(hello[3...]))],
            ["text Hello"], compression: both),
        Row(
            "13 the window of the message before (§7.2.3.2)", [text(hello), text(again)], ["text Hello", "text Hello"],
            compression: both),
        Row(
            "13 the window of the message before, which was not agreed on", [text(hello), text(again), text(hello)],
            ["text Hello", "bad-compressed-data 1 0", "text H…", "text Hello"], compression: alone),
        Row(
            "12 a stored block (§7.2.3.3)", [text([0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00])],
            ["text Hello"], compression: both),
        Row(
            "12 BFINAL (§7.2.3.4)", [text([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]), text(again)],
            ["text Hello", "text Hello"], compression: both),
        Row(
            "12 two blocks (§7.2.3.5)",
            [text([0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00])], ["text Hello"],
            compression: both),
        Row(
            "12 an empty message (§7.2.3.6)", [text([0x00]), text(hello)], ["text ", "text Hello"], compression: both),
    ]

    private static let bits: [Row] = [
        Row(
            "12 messages with and without compression", [.text("a"), text(hello), .binary([1])],
            ["text a", "text Hello", "binary 01"], compression: both),
        Row(
            "12 RSV1 on a continuation",
            [text(Array(hello[..<3]), isFinal: false), .more(bytes: Array(hello[3...])).with(.rsv1)],
            ["compression-bit-misplaced 1 0", "text Hello"], compression: both),
        Row(
            "12 RSV1 on a continuation of a message without", [.text("a", isFinal: false), .more("b").with(.rsv1)],
            ["compression-bit-misplaced 1 0", "text ab"], compression: both),
        Row(
            "12 RSV1 on ping", [.ping("a").with(.rsv1)], ["compression-bit-misplaced 0 0", "ping a"], compression: both),
        Row(
            "12 RSV1 on close", [.close(1000).with(.rsv1)], ["compression-bit-misplaced 0 0", "close 1000 "],
            compression: both),
        Row(
            "12 RSV2 beside RSV1", [text(hello).with([.rsv1, .rsv2])], ["reserved-bit 0 0", "text Hello"],
            compression: both),
        Row(
            "12 RSV1 without an agreement", [text(hello)],
            ["reserved-bit 0 0", "bad-utf8 0 p1", "text f2 48 cd c9 c9 07 00"]),
        Row(
            "12 ping within a compressed message",
            [text(Array(hello[..<3]), isFinal: false), .ping("p"), .more(bytes: Array(hello[3...]))],
            ["ping p", "text Hello"], compression: both),
        Row(
            "12 frames of a byte, and empty ones",
            WebSocketFrame.dividing(hello, .text, sizes: [0, 1, 1, 0, 1, 1, 1, 1, 1, 0], isCompressed: true),
            ["text Hello"], compression: both),
    ]

    private static let wrong: [Row] = [
        Row("12 no DEFLATE", [text([0x07, 0xFF])], ["bad-compressed-data 0 0", "text …"], compression: both),
        Row(
            "12 behind data that can't be read no compressed message is read",
            [text([0x07, 0xFF]), text(hello), .text("a")], ["bad-compressed-data 0 0", "text …", "text a"],
            compression: both),
        Row(
            "12 a message within a compressed one, behind which no compressed message is read",
            [text(Array(hello[..<3]), isFinal: false), .text("a"), text(hello), .text("b")],
            ["message-interrupted 1 0", "text He…", "text a", "text b"], compression: both),
        Row(
            "12 without context a message within a compressed one, and the next one",
            [text(Array(hello[..<3]), isFinal: false), .text("a"), text(hello)],
            ["message-interrupted 1 0", "text He…", "text a", "text Hello"], compression: alone),
        Row(
            "12 without context the next message is read", [text([0x07, 0xFF]), text(hello)],
            ["bad-compressed-data 0 0", "text …", "text Hello"], compression: alone),
        Row(
            "12 a block that is cut off, whose last letter the bits behind it change", [text([0xF2, 0x48, 0xCD])],
            ["bad-compressed-data 0 0", "text Heh…"], compression: both),
        Row(
            "12 a stored block that is cut off",
            [WebSocketFrame(.binary, reserved: .rsv1, payload: [0x00, 0x09, 0x00, 0xF6, 0xFF, 0x48])],
            ["bad-compressed-data 0 0", "binary 48 00 00 ff ff…"], compression: both),
        Row(
            "12 no UTF-8 when inflated", [.text("a"), text([0x00, 0x02, 0x00, 0xFD, 0xFF, 0x61, 0xFF, 0x00])],
            ["text a", "bad-utf8 1 0", "text 61 ff"], compression: both),
        Row(
            "12 cut-off UTF-8 when inflated", [text([0x00, 0x01, 0x00, 0xFE, 0xFF, 0xC3, 0x00])],
            ["incomplete-utf8 0 0", "text c3"], compression: both),
        Row(
            "9 a bomb stops at the bound", [WebSocketFrame(.binary, reserved: .rsv1, payload: bomb), .ping()],
            ["message-too-long 0 0", "ping ", "binary ************…"], limits: wide, compression: both),
        Row(
            "9 behind a bomb without context the next message is read",
            [WebSocketFrame(.binary, reserved: .rsv1, payload: bomb), text(hello)],
            ["message-too-long 0 0", "binary ************…", "text Hello"], limits: wide, compression: alone),
        Row(
            "12 more blocks with BFINAL than are read",
            [
                WebSocketFrame(
                    .binary, reserved: .rsv1, payload: (0..<300).flatMap { _ in [0x03, 0x00] as [UInt8] } + [0])
            ],
            ["bad-compressed-data 0 0", "binary …"], compression: both),
        Row(
            "12 blocks with BFINAL are counted for each message",
            (0..<2).map { _ in
                WebSocketFrame(
                    .binary, reserved: .rsv1, payload: (0..<200).flatMap { _ in [0x03, 0x00] as [UInt8] } + [0])
            }, ["binary ", "binary "], compression: both),
    ]

    private static let wide: WebSocketLimits = {
        var limits = LimitRows.small
        limits.frameByteCount = 4_096
        return limits
    }()

    private static let bomb: [UInt8] =
        (try? MessageDeflater().deflate(repeated(2_000_000).span)) ?? []

    /// Messages as our own compressor writes them, in every agreement.
    private static let messages: [Row] = [8, 9, 12, 15].flatMap { windowBits in
        [true, false].compactMap { takesContextOver in
            guard let deflater = try? MessageDeflater(windowBits: windowBits) else { return nil }
            var frames: [WebSocketFrame] = []
            var expected: [String] = []
            for count in [0, 1, 100, 0, 3_000, 3_000] {
                let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 % 61) }
                frames += WebSocketFrame.dividing(
                    deflater.deflate(content.span), .binary, sizes: [512], isCompressed: true)
                expected.append("binary \([WebSocketEvent].shown(content))")
                if !takesContextOver { deflater.reset() }
            }
            return Row(
                "13 a window of \(windowBits) bits, \(takesContextOver ? "with" : "without") context", frames, expected,
                compression: DeflateDirection(takesContextOver: takesContextOver, windowBits: windowBits))
        }
    }
}
