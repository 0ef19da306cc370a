import ProctorHTTP
import Testing

@testable import ProctorReport

/// Values in the text of reproductions.
struct LiteralTextTests {
    @Test func `bytes are told line by line, and what repeats itself is multiplied`() {
        let head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        #expect(
            LiteralText.bytes(head + [0xFF, 0x22], indentation: 2, now: 0)
                == "b\"HTTP/1.1 200 OK\\r\\n\"\n  b\"\\r\\n\"\n  b\"\\xff\\\"\"")
        let long = LiteralText.bytes(head + Array(repeating: 0x61, count: 5_000), indentation: 0, now: 0)
        #expect(long == "b\"HTTP/1.1 200 OK\\r\\n\"\nb\"\\r\\n\"\n+ b\"a\" * 5000")
        let pairs = LiteralText.bytes((0..<3_000).map { UInt8($0 % 3 + 0x61) }, indentation: 0, now: 0)
        #expect(pairs == "b\"abc\" * 1000")
    }

    @Test func `a date that is to come is counted from the day of the reader`() {
        let now = 1_000_000_000
        let later = HTTPDate.imfFixdate(unixSeconds: now + 86_400)
        let earlier = HTTPDate.imfFixdate(unixSeconds: now - 60)
        #expect(
            LiteralText.bytes(Array("a=1; Expires=".utf8) + later + Array("; Path=/".utf8), indentation: 0, now: now)
                == "b\"a=1; Expires=\"\n+ date(86400)\n+ b\"; Path=/\"")
        #expect(LiteralText.dates(in: earlier, after: now).isEmpty)
        #expect(LiteralText.bytes(later, indentation: 0, now: now) == "date(86400)")
    }

    @Test(arguments: [("plain", "plain"), ("", "''"), ("it's", "'it'\\''s'"), ("a b", "'a b'"), ("$x", "'$x'")])
    func `words of a shell`(word: String, literal: String) { #expect(LiteralText.word(word) == literal) }

    @Test func `texts have escapes that three languages share`() {
        #expect(LiteralText.text("a\"\\\n\u{1}é") == "\"a\\\"\\\\\\n\\x01é\"")
    }
}
