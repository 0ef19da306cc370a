import Foundation
import ProctorBase
import Testing

struct JSONTextTests {
    @Test func `every text is read back unchanged by Foundation`() throws {
        let texts =
            (0..<0x80).map { "a\(Unicode.Scalar(UInt8($0)))b" } + [
                "", "\"quoted\"", "back\\slash", "\u{2028}\u{2029}", "é ü 漢字 🦊", "\u{FEFF}bom", "</script>", "\\u0041",
            ]
        for text in texts {
            var json = JSONText()
            json.open("{")
            json.member("text", text)
            json.close("}")
            // Not compared as text, which would take canonically equal ones for the same.
            let read = try #require(try object(json.bytes)["text"] as? String)
            #expect(Array(read.utf8) == Array(text.utf8), "\(text.debugDescription)")
        }
    }

    @Test func `an object of everything is read back by Foundation`() throws {
        var json = JSONText()
        json.open("{")
        json.member("count", 42)
        json.member("least", Int64.min)
        json.member("most", UInt64.max)
        json.member("yes", true)
        json.member("no", false)
        json.key("list")
        json.open("[")
        json.element("one")
        json.element("two")
        json.element()
        json.open("{")
        json.close("}")
        json.close("]")
        json.key("empty")
        json.open("[")
        json.close("]")
        json.member("last", "x")
        json.close("}")
        let value = try object(json.bytes)
        #expect(value["count"] as? Int == 42)
        #expect((value["least"] as? NSNumber)?.int64Value == Int64.min)
        #expect((value["most"] as? NSNumber)?.uint64Value == UInt64.max)
        #expect(value["yes"] as? Bool == true)
        #expect(value["no"] as? Bool == false)
        let list = try #require(value["list"] as? [Any])
        #expect(list.count == 3)
        #expect(list[0] as? String == "one")
        #expect(list[1] as? String == "two")
        #expect((list[2] as? [String: Any])?.isEmpty == true)
        #expect((value["empty"] as? [Any])?.isEmpty == true)
        #expect(value["last"] as? String == "x")
    }

    @Test func `lines follow one another without a comma`() throws {
        var json = JSONText(appendingTo: Array("before\n".utf8))
        for number in 0..<2 {
            json.open("{")
            json.member("n", number)
            json.close("}")
            json.lineEnd()
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == "before\n{\"n\":0}\n{\"n\":1}\n")
    }

    @Test func `base64 of every length agrees with Foundation`() throws {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 190) }
            var json = JSONText()
            json.base64(bytes[...])
            #expect(String(decoding: json.bytes, as: UTF8.self) == "\"\(Data(bytes).base64EncodedString())\"")
        }
    }

    @Test(
        arguments: [
            ([], true), (Array("text é".utf8), true), ([0x41, 0], false), ([0xFF], false), ([0xC3], false),
            ([0xED, 0xA0, 0x80], false), ([0xC0, 0x80], false), ([1, 0x1F, 0x7F], true),
        ] as [([UInt8], Bool)])
    func `bytes that are no text are written as base64 under the other key`(bytes: [UInt8], isText: Bool) throws {
        var json = JSONText()
        json.open("{")
        json.member("text", orBase64: "base64", bytes[...])
        json.close("}")
        let value = try object(json.bytes)
        if isText {
            #expect((value["text"] as? String).map { Array($0.utf8) } == bytes)
        } else {
            #expect((value["base64"] as? String).flatMap { Data(base64Encoded: $0) } == Data(bytes))
        }
        #expect(value.count == 1)
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}
