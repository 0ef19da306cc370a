import ProctorBase

/// Converts JSON (RFC 8259) to Lua values; white space and line ends may be anywhere.
struct JSONToLua {
    private let bytes: [UInt8]
    private let bounds: ScriptBounds
    private var offset = 0
    private var valueCount = 0

    struct Fault: Error {
        let sentence: String
    }

    /// Appends the value of the whole text to the buffer.
    static func read(_ bytes: [UInt8], _ bounds: ScriptBounds, into buffer: ValueBuffer) throws(Fault) {
        var reader = JSONToLua(bytes: bytes, bounds: bounds)
        reader.skipBlanks()
        try reader.value(into: buffer, depth: 1)
        reader.skipBlanks()
        guard reader.offset == bytes.count else { throw reader.fault("more follows behind the value") }
    }

    private init(bytes: [UInt8], bounds: ScriptBounds) {
        (self.bytes, self.bounds) = (bytes, bounds)
    }

    private func fault(_ sentence: String) -> Fault { Fault(sentence: "JSON, offset \(offset): \(sentence)") }

    private var here: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let here, here == 0x20 || here == 0x09 || here == 0x0A || here == 0x0D { offset += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard here == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(into buffer: ValueBuffer, depth: Int) throws(Fault) {
        guard depth <= bounds.depth else { throw fault("more than \(bounds.depth) levels") }
        valueCount += 1
        guard valueCount <= bounds.valueCount else { throw fault("more than \(bounds.valueCount) values") }
        switch here {
        case UInt8(ascii: "{"): try object(into: buffer, depth: depth)
        case UInt8(ascii: "["): try array(into: buffer, depth: depth)
        case UInt8(ascii: "\""): buffer.text(try text())
        case UInt8(ascii: "t"):
            try word("true")
            buffer.flag(true)
        case UInt8(ascii: "f"):
            try word("false")
            buffer.flag(false)
        case UInt8(ascii: "n"):
            try word("null")
            buffer.null()
        default: try number(into: buffer)
        }
    }

    private mutating func object(into buffer: ValueBuffer, depth: Int) throws(Fault) {
        offset += 1
        buffer.table(elements: 0, members: 0)
        skipBlanks()
        if consume(UInt8(ascii: "}")) { return }
        while true {
            skipBlanks()
            guard here == UInt8(ascii: "\"") else { throw fault("expected a key in double quotes") }
            buffer.text(try text())
            skipBlanks()
            guard consume(UInt8(ascii: ":")) else { throw fault("expected ':'") }
            skipBlanks()
            try value(into: buffer, depth: depth + 1)
            buffer.setMember()
            skipBlanks()
            if consume(UInt8(ascii: "}")) { return }
            guard consume(UInt8(ascii: ",")) else { throw fault("expected ',' or '}'") }
        }
    }

    private mutating func array(into buffer: ValueBuffer, depth: Int) throws(Fault) {
        offset += 1
        buffer.table(elements: 0, members: 0)
        skipBlanks()
        var count = 0
        if !consume(UInt8(ascii: "]")) {
            while true {
                skipBlanks()
                try value(into: buffer, depth: depth + 1)
                count += 1
                buffer.setElement(count)
                skipBlanks()
                if consume(UInt8(ascii: "]")) { break }
                guard consume(UInt8(ascii: ",")) else { throw fault("expected ',' or ']'") }
            }
        }
        buffer.setMetatable(.array)
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for byte in Array("\(word)".utf8) {
            guard consume(byte) else { throw fault("expected a value") }
        }
    }

    private mutating func digits() -> Bool {
        let start = offset
        while let here, here.isASCIIDigit { offset += 1 }
        return offset > start
    }

    private mutating func number(into buffer: ValueBuffer) throws(Fault) {
        let start = offset
        _ = consume(UInt8(ascii: "-"))
        let first = offset
        guard digits() else { throw fault("expected a value") }
        guard bytes[first] != UInt8(ascii: "0") || offset == first + 1 else {
            throw fault("a number has no zero in front")
        }
        var isWhole = true
        if consume(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() else { throw fault("expected a digit") }
        }
        if let here, here | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            offset += 1
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard digits() else { throw fault("expected a digit") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return buffer.whole(whole) }
        guard let real = Double(text), real.isFinite else { throw fault("the number \(text.prefix(40)) is too large") }
        buffer.real(real)
    }

    private mutating func text() throws(Fault) -> [UInt8] {
        offset += 1
        var result: [UInt8] = []
        while true {
            guard let byte = here else { throw fault("the text has no end") }
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return result
            case UInt8(ascii: "\\"): try escape(into: &result)
            case 0..<0x20: throw fault("a control character in a text needs an escape")
            default: result.append(byte)
            }
        }
    }

    private mutating func escape(into result: inout [UInt8]) throws(Fault) {
        guard let kind = here else { throw fault("the text has no end") }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(kind)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            var code = try unit()
            if 0xD800...0xDBFF ~= code, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u")
            {
                let before = offset
                offset += 2
                let low = try unit()
                if 0xDC00...0xDFFF ~= low {
                    code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    offset = before
                }
            }
            result += Array(String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
        default: throw fault("no such escape")
        }
    }

    private mutating func unit() throws(Fault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = here?.hexadecimalValue else { throw fault("\\u needs four hexadecimal digits") }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }
}
