/// Writes values of Lua as JSON: the members of an object by the bytes of their keys, without blanks.
enum LuaJSON {
    static func write(_ value: ScriptValue, into bytes: inout [UInt8]) throws(ScriptFailure) {
        switch value {
        case .none, .null: append("null", to: &bytes)
        case .flag(let flag): append(flag ? "true" : "false", to: &bytes)
        case .whole(let number): append("\(number)", to: &bytes)
        case .real(let number):
            guard number.isFinite else { throw ScriptFailure("json.encode: JSON has no \(number)") }
            append("\(number)", to: &bytes)
        case .text(let text): writeText(text, into: &bytes)
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try write(item, into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .table(let members), .fields(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                writeText(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try write(member.value, into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }

    /// Bytes that are no UTF-8 become U+FFFD, since JSON is UTF-8 (RFC 8259 §8.1).
    private static func writeText(_ text: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in String(decoding: text, as: UTF8.self).utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: append("\\n", to: &bytes)
            case 0x0D: append("\\r", to: &bytes)
            case 0x09: append("\\t", to: &bytes)
            case 0..<0x20, 0x7F:
                append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16), to: &bytes)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
