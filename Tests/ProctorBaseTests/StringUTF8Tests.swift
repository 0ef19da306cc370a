import ProctorBase
import Testing

struct StringUTF8Tests {
    struct Row: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let text: String?

        init(_ bytes: [UInt8], _ text: String?) {
            self.bytes = bytes
            self.text = text
        }

        var testDescription: String { "\(bytes)" }
    }

    static let rows = [
        Row([], ""), Row(Array("a\u{0}é€😀".utf8), "a\u{0}é€😀"), Row([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
        // A byte alone, an overlong form, a surrogate, beyond U+10FFFF, and an end that comes too early (RFC 3629 §3).
        Row([0x80], nil), Row([0x61, 0xFF], nil), Row([0xC0, 0xAF], nil), Row([0xED, 0xA0, 0x80], nil),
        Row([0xF4, 0x90, 0x80, 0x80], nil), Row([0xE2, 0x82], nil), Row([0xE2, 0x82, 0x61], nil),
    ]

    @Test(arguments: rows) func `bytes are text where they are UTF-8, by either way`(row: Row) {
        #expect(String(validUTF8: row.bytes) == row.text)
        #expect(String(decodingBackUTF8: row.bytes) == row.text)
    }
}
