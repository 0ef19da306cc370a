import ProctorWebSocket

/// Chapter 6: UTF-8.
enum TextRows {
    static let rows: [Row] = empty + lawful.flatMap(lawfulRows) + wrong.flatMap(wrongRows) + cutOff.flatMap(cutOffRows)

    private static let empty: [Row] = [
        Row("6.1 an empty text", [.text("")], ["text "]),
        Row("6.1 three empty frames", [.text("", isFinal: false), .more("", isFinal: false), .more("")], ["text "]),
        Row(
            "6.1 one frame of three is not empty",
            [.text("", isFinal: false), .more("middle", isFinal: false), .more("")],
            ["text middle"]),
        Row(
            "6.4 a wrong byte is found before the message ends",
            [.text(bytes: Array("κόσμε".utf8) + [0xF4], isFinal: false), .more(bytes: [0x90], isFinal: false)],
            ["bad-utf8 1 p0", "text \([WebSocketEvent].shown(Array("κόσμε".utf8) + [0xF4, 0x90]))…"]),
        Row("6 the content of binary is anything", [.binary([0xC0, 0x80, 0xFF])], ["binary c0 80 ff"]),
        Row(
            "6 a wrong byte of one message is none of the next", [.text(bytes: [0xC3]), .text(bytes: [0xA9])],
            ["incomplete-utf8 0 p1", "text c3", "bad-utf8 1 p0", "text a9"]),
    ]

    private static let lawful: [(name: String, text: String)] = [
        ("6.2 letters of one and two bytes", "Hello-µ@ßöäüàá-UTF-8!!"),
        ("6.5 Greek with a mark", "κόσμε"),
        ("6.7 the first of each length", "\u{0}\u{80}\u{800}\u{10000}"),
        ("6.9 the last of each length", "\u{7F}\u{7FF}\u{FFFF}\u{10FFFF}"),
        ("6.11 around the surrogates", "\u{D7FF}\u{E000}\u{FFFD}"),
        ("6.22 what is no character", "\u{FFFE}\u{FFFF}\u{1FFFE}\u{1FFFF}"),
        ("6.23 specials", "\u{FFF9}\u{FFFA}\u{FFFB}\u{FFFC}"),
    ]

    /// Whole, and each byte in a frame of its own.
    private static func lawfulRows(_ sample: (name: String, text: String)) -> [Row] {
        let bytes = Array(sample.text.utf8)
        let expected = ["text \([WebSocketEvent].shown(bytes))"]
        return [
            Row("\(sample.name), whole", [.text(sample.text)], expected),
            Row("\(sample.name), in frames of a byte", WebSocketFrame.dividing(bytes, .text, sizes: [1]), expected),
        ]
    }

    /// The index is that of the first byte that no text has there.
    private static let wrong: [(name: String, bytes: [UInt8], index: Int)] = [
        ("6.3 a surrogate within Greek", Array("κό".utf8) + [0xED, 0xA0, 0x80] + Array("σμε".utf8), 5),
        ("6.8 five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], 0),
        ("6.8 six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], 0),
        ("6.10 above the last", [0xF4, 0x90, 0x80, 0x80], 1), ("6.10 far above the last", [0xF7, 0xBF, 0xBF, 0xBF], 0),
        ("6.12 a continuation alone", [0x80], 0), ("6.12 the last continuation alone", [0x61, 0xBF], 1),
        ("6.13 the start of two bytes before a blank", [0xC3, 0x20], 1),
        ("6.13 the start of three bytes before a blank", [0xE2, 0x20], 1),
        ("6.13 the start of four bytes before a blank", [0xF0, 0x20], 1),
        ("6.14 a third byte is missing", [0xE2, 0x82, 0x20], 2),
        ("6.14 a fourth byte is missing", [0xF0, 0x9F, 0x98, 0x20], 3),
        ("6.17 FE", [0x61, 0xFE], 1), ("6.17 FF", [0xFF], 0), ("6.18 a slash in two bytes", [0xC0, 0xAF], 0),
        ("6.18 a slash in three bytes", [0xE0, 0x80, 0xAF], 1),
        ("6.18 a slash in four bytes", [0xF0, 0x80, 0x80, 0xAF], 1),
        ("6.19 the largest of two bytes too many", [0xC1, 0xBF], 0),
        ("6.19 the largest of three bytes too many", [0xE0, 0x9F, 0xBF], 1),
        ("6.19 the largest of four bytes too many", [0xF0, 0x8F, 0xBF, 0xBF], 1),
        ("6.20 NUL in two bytes", [0xC0, 0x80], 0), ("6.20 NUL in three bytes", [0xE0, 0x80, 0x80], 1),
        ("6.21 the first surrogate", [0xED, 0xA0, 0x80], 1), ("6.21 the last surrogate", [0xED, 0xBF, 0xBF], 1),
        ("6.21 a pair of surrogates", [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], 1),
    ]

    private static func wrongRows(_ sample: (name: String, bytes: [UInt8], index: Int)) -> [Row] {
        let shown = "text \([WebSocketEvent].shown(sample.bytes))"
        return [
            Row("\(sample.name), whole", [.text(bytes: sample.bytes)], ["bad-utf8 0 p\(sample.index)", shown]),
            Row(
                "\(sample.name), in frames of a byte", WebSocketFrame.dividing(sample.bytes, .text, sizes: [1]),
                ["bad-utf8 \(sample.index) p0", shown]),
        ]
    }

    private static let cutOff: [[UInt8]] = [
        [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0x61, 0xED, 0x9F], [0xF4, 0x8F],
    ]

    private static func cutOffRows(_ bytes: [UInt8]) -> [Row] {
        let shown = [WebSocketEvent].shown(bytes)
        return [
            Row(
                "6.15 cut off: \(shown)", [.text(bytes: bytes)], ["incomplete-utf8 0 p\(bytes.count)", "text \(shown)"]),
            Row(
                "6.16 cut off in frames of a byte: \(shown)",
                WebSocketFrame.dividing(bytes, .text, sizes: [1] + repeated(bytes.count, 1).map { Int($0) }),
                ["incomplete-utf8 \(bytes.count) p0", "text \(shown)"]),
        ]
    }
}
