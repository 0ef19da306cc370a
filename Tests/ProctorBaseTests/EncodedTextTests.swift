import Foundation
import ProctorBase
import Testing

struct EncodedTextTests {
    /// RFC 4648 §10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func `the vectors of RFC 4648 are written and read`(plain: String, encoded: String) throws {
        #expect(Base64Text.encode(plain.utf8) == encoded)
        #expect(try Base64Text.decode(Array(encoded.utf8)) == Array(plain.utf8))
    }

    @Test(arguments: [
        ("", ""), ("f", "66"), ("fo", "666F"), ("foo", "666F6F"), ("foob", "666F6F62"), ("fooba", "666F6F6261"),
        ("foobar", "666F6F626172"),
    ])
    func `the vectors of RFC 4648 are read as hexadecimal`(plain: String, encoded: String) throws {
        #expect(try HexText.decode(Array(encoded.utf8)) == Array(plain.utf8))
        #expect(try HexText.decode(Array(encoded.lowercased().utf8)) == Array(plain.utf8))
    }

    @Test func `bytes of every value and count agree with another encoder`() throws {
        let all = Array(UInt8.min ... .max)
        for count in 0...all.count {
            for bytes in [Array(all.prefix(count)), Array(all.suffix(count))] {
                let text = Base64Text.encode(bytes)
                #expect(text == Data(bytes).base64EncodedString())
                #expect(try Base64Text.decode(Array(text.utf8)) == bytes)
            }
        }
    }

    @Test func `what is appended stands behind what was there`() {
        var bytes = GrowingBytes()
        bytes.appendText("a:")
        Base64Text.append([0xFF, 0].span, to: &bytes)
        #expect(String(decoding: bytes.array, as: UTF8.self) == "a:/wA=")
    }

    @Test func `padding may be left out, and white space may stand anywhere`() throws {
        for (plain, encoded) in Self.vectors {
            let bare = encoded.filter { $0 != "=" }
            #expect(try Base64Text.decode(Array(bare.utf8)) == Array(plain.utf8))
            let spread = encoded.map { " \($0)\t\r\n" }.joined()
            #expect(try Base64Text.decode(Array(spread.utf8)) == Array(plain.utf8))
        }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA=", 3), ("AAA==", 5), ("AAAA=", 5), ("=", 1), ("====", 4), ("AA===", 5),
        ("AA=A", 3),
        ("A-A_", 1), ("AA!A", 2), ("AA\u{0}A", 2), ("AAA\u{e9}", 3),
    ])
    func `base64 that is none is refused with its place`(text: String, offset: Int) {
        let error = #expect(throws: EncodedTextError.self) { try Base64Text.decode(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test(arguments: [("6", 1), ("66 6", 4), ("6 6", 1), ("6g", 1), ("0x66", 1), ("66,66", 2)])
    func `hexadecimal that is none is refused with its place`(text: String, offset: Int) {
        let error = #expect(throws: EncodedTextError.self) { try HexText.decode(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `white space stands between pairs of hexadecimal digits only`() throws {
        #expect(try HexText.decode(Array(" 00 fF\n10\t".utf8)) == [0, 255, 16])
    }
}
