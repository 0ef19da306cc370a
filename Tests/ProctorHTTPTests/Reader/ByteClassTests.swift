import ProctorBase
import Testing

@testable import ProctorHTTP

struct ByteClassTests {
    private static let alphanumeric = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    @Test func `tokens, paths and queries have the bytes that their grammar names`() {
        let token = Self.alphanumeric + Array("!#$%&'*+-.^_`|~".utf8)
        let pathOrQuery = Self.alphanumeric + Array("-._~!$&'()*+,;=:@/?".utf8)
        for byte in UInt8.min ... .max {
            #expect(byte.isTokenByte == token.contains(byte), "\(byte)")
            #expect(byte.isPathOrQueryByte == pathOrQuery.contains(byte), "\(byte)")
        }
    }

    @Test func `letter case alone makes no difference`() {
        for one in UInt8.min ... .max {
            for other in UInt8.min ... .max {
                let isSame = [one].span.equalsIgnoringCase([other].span)
                #expect(isSame == (one.asciiLowercased == other.asciiLowercased))
            }
        }
    }

    /// Values are skipped eight bytes at a time up to the first control character.
    @Test func `a value ends at its line's end, and each control in it is found where it stands`() throws {
        for length in 0...20 {
            let value = Array(repeating: UInt8(ascii: "v"), count: length)
            for text in [value, value + Array("\u{E9}\t\u{E9}v".utf8)] {
                let head = try RequestHead(parsing: Array("GET / HTTP/1.0\r\nA: ".utf8) + text + Array("\r\n\r\n".utf8))
                #expect(head.fields.first(named: "A").map { Array($0) } == text && head.violations.isEmpty)
            }
            for place in 0..<length {
                for control: UInt8 in [1, 0x1F, 0x7F] {
                    var text = value
                    text[place] = control
                    let head = try RequestHead(
                        parsing: Array("GET / HTTP/1.0\r\nA: ".utf8) + text + Array("\r\n\r\n".utf8))
                    #expect(head.fields.first(named: "A").map { Array($0) } == text)
                    #expect(head.violations.map(\.kind) == [.controlInFieldValue])
                    #expect(head.violations.first?.offset == 19 + place)
                }
            }
        }
    }
}
