import Foundation
import ProctorBase
import Testing

struct JSONTextTests {
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
        var json = JSONText()
        for number in 0..<2 {
            json.open("{")
            json.member("n", number)
            json.close("}")
            json.lineEnd()
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"n\":0}\n{\"n\":1}\n")
    }

    @Test func `escapes stand in their places, whatever stands beside them`() {
        for special in [0, 0x09, 0x0A, 0x0D, 0x1F, 0x20, 0x22, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F] as [UInt8] {
            for count in 1...26 {
                for position in 0..<count {
                    var text = (0..<count).map { UInt8(ascii: "a") + UInt8($0) }
                    text[position] = special
                    if position > 2 { text.replaceSubrange(0..<2, with: Array("é".utf8)) }
                    var json = JSONText()
                    json.string(text[...])
                    #expect(json.bytes == Self.joined(text), "\(special) at \(position) of \(count)")
                }
            }
        }
    }

    /// A text of more than the writer looks at before it makes room.
    @Test func `a long text of escapes is whole`() throws {
        let text = [UInt8](repeating: 0x1F, count: 5_000) + Array("x\"é".utf8) + [UInt8](repeating: 0x7F, count: 5_000)
        var json = JSONText()
        json.string(text[...])
        #expect(json.bytes == Self.joined(text))
    }

    /// Byte by byte, as the specification has it.
    private static func joined(_ text: [UInt8]) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text { bytes += byte < 0x80 ? Array(escaped(byte).utf8) : [byte] }
        return bytes + [UInt8(ascii: "\"")]
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x22: "\\\""
        case 0x5C: "\\\\"
        case 0..<0x20, 0x7F: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        default: String(Unicode.Scalar(byte))
        }
    }

    @Test func `numbers have the digits of their descriptions`() {
        var numbers: [UInt64] = [0, .max, 1 << 53]
        var power: UInt64 = 1
        while power <= .max / 10 {
            numbers += [power, power - 1, power + 1, 7 * power]
            power *= 10
        }
        numbers += [power, power - 1, power + 1]
        for number in numbers {
            for place in 0..<20 {
                var bytes = GrowingBytes()
                bytes.append([UInt8](repeating: UInt8(ascii: "-"), count: place).span)
                bytes.appendDecimal(number)
                #expect(
                    String(decoding: bytes.array, as: UTF8.self) == String(repeating: "-", count: place) + "\(number)")
            }
        }
    }

    @Test func `pieces of every length are whole, the first member has no comma`() {
        for count in 0...40 {
            let name = String(repeating: "k", count: count)
            var json = JSONText()
            json.open("{")
            json.key(JSONPiece { $0.member(named: name, 1) })
            json.append(JSONPiece { $0.member(named: name, 2) })
            json.member("last", 3)
            json.close("}")
            #expect(
                String(decoding: json.bytes, as: UTF8.self) == "{\"\(name)\":1,\"\(name)\":2,\"last\":3}")
        }
    }

    @Test func `base64 of every length agrees with Foundation`() throws {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 190) }
            var json = JSONText()
            json.base64(bytes.span)
            #expect(String(decoding: json.bytes, as: UTF8.self) == "\"\(Data(bytes).base64EncodedString())\"")
        }
    }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}
