/// Writes Lua values as JSON; the members of an object are sorted by the bytes of their keys.
struct LuaJSON {
    private(set) var bytes: [UInt8] = []
    private let form: Form
    private var level = 0

    struct Form {
        /// The number of spaces for each level, with each member on its own line; nil for no white space.
        var indent: Int?
        /// Whether characters beyond ASCII are written as `\uXXXX`.
        var isASCII = false

        static let indents = 1...16
    }

    init(_ form: Form = Form()) {
        self.form = form
    }

    static func encode(_ value: ScriptValue, into bytes: inout [UInt8]) throws(ScriptFailure) {
        var json = LuaJSON()
        try json.write(value)
        bytes += json.bytes
    }

    mutating func write(_ value: ScriptValue) throws(ScriptFailure) {
        switch value {
        case .none, .null: append("null")
        case .flag(let flag): append(flag ? "true" : "false")
        case .whole(let number): append("\(number)")
        case .real(let number):
            guard number.isFinite else { throw ScriptFailure("json.encode: JSON has no \(number)") }
            append("\(number)")
        case .text(let text): writeText(text)
        case .list(let items):
            try writeList("[", items, "]") { json, item throws(ScriptFailure) in try json.write(item) }
        case .table(let members):
            try writeList("{", members, "}") { json, member throws(ScriptFailure) in
                json.writeText(member.key)
                json.append(json.form.indent == nil ? ":" : ": ")
                try json.write(member.value)
            }
        }
    }

    private mutating func writeList<Item>(
        _ open: String, _ items: [Item], _ close: String,
        _ write: (inout LuaJSON, Item) throws(ScriptFailure) -> Void
    ) throws(ScriptFailure) {
        append(open)
        level += 1
        for (index, item) in items.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            try write(&self, item)
        }
        level -= 1
        if !items.isEmpty { breakLine() }
        append(close)
    }

    private mutating func breakLine() {
        guard let indent = form.indent else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * level))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Replaces invalid UTF-8 by U+FFFD, since JSON is UTF-8 (RFC 8259 §8.1).
    private mutating func writeText(_ text: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let text = String(decoding: text, as: UTF8.self)
        if form.isASCII {
            for unit in text.utf16 {
                if let byte = UInt8(exactly: unit), byte < 0x80 { writeByte(byte) } else { writeEscape(unit) }
            }
        } else {
            for byte in text.utf8 { writeByte(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a byte of a text, with the escapes of RFC 8259 §7.
    private mutating func writeByte(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20, 0x7F: writeEscape(UInt16(byte))
        default: bytes.append(byte)
        }
    }

    /// Writes `\uXXXX` in lower case.
    private mutating func writeEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
}
