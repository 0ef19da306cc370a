/// A position in one line of JSON (RFC 8259); it builds only the values that the caller reads.
///
/// Every function starts at the first byte of what it reads, skips blanks first, and stops after the last byte.
package struct JSONCursor {
    package var offset: Int
    /// Whether the cursor is directly after the `{` or `[` of an object or a list.
    private var isFirst = false

    package init(offset: Int = 0) { self.offset = offset }

    /// The greatest depth of objects and lists in skipped values.
    package static let deepest = 32

    @inlinable
    package func peek(_ line: borrowing Span<UInt8>) -> UInt8? { offset < line.count ? line[offset] : nil }

    @inlinable
    package mutating func skipBlanks(_ line: borrowing Span<UInt8>) {
        while offset < line.count, line[offset] == 0x20 || line[offset] == 0x09 || line[offset] == 0x0D { offset += 1 }
    }

    // MARK: Structure

    /// Reads the `{` of an object or the `[` of a list.
    package mutating func open(_ bracket: UInt8, _ line: borrowing Span<UInt8>, _ wanted: StaticString)
        throws(LineFault)
    {
        guard peek(line) == bracket else { throw unexpected(line, wanted) }
        offset += 1
        isFirst = true
    }

    /// Reads the next key of an object and stops at its value; nil at the end of the object.
    package mutating func key(_ line: borrowing Span<UInt8>) throws(LineFault) -> JSONTextRange? {
        guard try hasNext(line, closing: UInt8(ascii: "}")) else { return nil }
        return try keyText(line)
    }

    /// Whether another element of a list follows; stops at that element, or after the list.
    package mutating func element(_ line: borrowing Span<UInt8>) throws(LineFault) -> Bool {
        try hasNext(line, closing: UInt8(ascii: "]"))
    }

    private mutating func hasNext(_ line: borrowing Span<UInt8>, closing: UInt8) throws(LineFault) -> Bool {
        let isFirst = isFirst
        self.isFirst = false
        skipBlanks(line)
        guard let byte = peek(line) else { throw unexpected(line, "the end of an object or a list") }
        if byte == closing {
            offset += 1
            return false
        }
        if isFirst { return true }
        guard byte == UInt8(ascii: ",") else {
            throw unexpected(line, closing == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
        }
        offset += 1
        skipBlanks(line)
        return true
    }

    private mutating func keyText(_ line: borrowing Span<UInt8>) throws(LineFault) -> JSONTextRange {
        let key = try text(line, "a key in double quotes")
        skipBlanks(line)
        guard peek(line) == UInt8(ascii: ":") else { throw unexpected(line, "':' behind a key") }
        offset += 1
        skipBlanks(line)
        return key
    }

    // MARK: Values

    package mutating func text(_ line: borrowing Span<UInt8>, _ wanted: StaticString) throws(LineFault) -> JSONTextRange
    {
        guard peek(line) == UInt8(ascii: "\"") else { throw unexpected(line, wanted) }
        let start = offset + 1
        var hasEscapes = false
        var index = start
        let count = line.count
        while index < count {
            if index <= count &- 8 {
                let plain = ByteWords.plainTextCount(ByteWords.load(line, at: index))
                index += plain
                if plain == 8 { continue }
            }
            let byte = line[index]
            if byte == UInt8(ascii: "\"") {
                offset = index + 1
                return JSONTextRange(range: start..<index, hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index = try escapeEnd(line, at: index)
            } else if byte < 0x20 {
                let code = String(byte, radix: 16)
                throw LineFault(
                    index, "a control character in a text is written '\\u00\(code.utf8.count == 1 ? "0" : "")\(code)'")
            } else {
                index += 1
            }
        }
        throw LineFault(count, "the text that begins in column \(start) is not closed", isEnd: true)
    }

    /// The range of a text that was read before, so that nothing can be wrong with it.
    mutating func range(ofReadTextIn line: borrowing Span<UInt8>) -> JSONTextRange {
        (try? text(line, "a text")) ?? JSONTextRange(range: offset..<offset, hasEscapes: false)
    }

    private func escapeEnd(_ line: borrowing Span<UInt8>, at backslash: Int) throws(LineFault) -> Int {
        guard backslash + 1 < line.count else { throw LineFault(line.count, "an escape is cut off", isEnd: true) }
        switch line[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in (backslash + 2)..<(backslash + 6) {
                guard index < line.count else { throw LineFault(line.count, "an escape is cut off", isEnd: true) }
                guard line[index].hexadecimalValue != nil else {
                    throw LineFault(index, "behind '\\u' come four hexadecimal digits")
                }
            }
            return backslash + 6
        default:
            throw LineFault(
                backslash, "no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits")
        }
    }

    package mutating func number(_ line: borrowing Span<UInt8>, _ wanted: StaticString) throws(LineFault) -> JSONNumber
    {
        var number = JSONNumber(start: offset)
        if peek(line) == UInt8(ascii: "-") {
            number.isNegative = true
            offset += 1
        }
        guard let first = peek(line), first.isASCIIDigit else { throw unexpected(line, wanted) }
        digits(line, into: &number)
        if first == UInt8(ascii: "0"), offset - number.start > (number.isNegative ? 2 : 1) {
            throw LineFault(number.start, "a number has no zero in front")
        }
        if peek(line) == UInt8(ascii: ".") {
            offset += 1
            let fraction = offset
            digits(line, into: &number)
            guard offset > fraction else { throw unexpected(line, "a digit behind '.'") }
            number.isWhole = false
            number.fractionDigitCount = offset - fraction
        }
        if let byte = peek(line), byte | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if let sign = peek(line), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            var exponent = JSONNumber(start: offset)
            digits(line, into: &exponent)
            guard offset > exponent.start else { throw unexpected(line, "a digit in the exponent") }
            number.isWhole = false
            number.hasExponent = true
        }
        number.end = offset
        return number
    }

    private mutating func digits(_ line: borrowing Span<UInt8>, into number: inout JSONNumber) {
        while offset < line.count, line[offset].isASCIIDigit {
            number.append(line[offset] &- 0x30)
            offset += 1
        }
    }

    package mutating func literal(
        _ word: StaticString, _ line: borrowing Span<UInt8>, _ wanted: StaticString
    ) throws(LineFault) {
        let start = offset
        for index in 0..<word.utf8CodeUnitCount {
            let isSame = word.withUTF8Buffer { unsafe offset < line.count && line[offset] == $0[index] }
            guard isSame else {
                if offset == line.count { throw unexpected(line, wanted) }
                offset = start
                throw unexpected(line, wanted)
            }
            offset += 1
        }
    }

    package func unexpected(_ line: borrowing Span<UInt8>, _ wanted: StaticString) -> LineFault {
        guard offset < line.count else {
            return LineFault(line.count, "the line ends where \(wanted) is expected", isEnd: true)
        }
        return LineFault(offset, "expected \(wanted), not '\(EscapedText.escape([line[offset]]))'")
    }

    // MARK: Skipping

    /// Skips a value of any kind, which must be valid JSON; uses no stack, however deep the value is.
    package mutating func skipValue(_ line: borrowing Span<UInt8>) throws(LineFault) {
        // One bit for each level, the innermost lowest: 1 is an object.
        var kinds: UInt64 = 0
        var depth = 0
        while true {
            skipBlanks(line)
            if let byte = peek(line), byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                guard depth < Self.deepest else {
                    throw LineFault(offset, "objects and lists go no more than \(Self.deepest) levels deep")
                }
                kinds = kinds << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                depth += 1
                offset += 1
                isFirst = true
            } else {
                try skipScalar(line)
            }
            // Closes every object and list that ends here, and moves to the next value.
            while depth > 0 {
                if kinds & 1 == 1 ? try key(line) != nil : try element(line) { break }
                kinds >>= 1
                depth -= 1
            }
            if depth == 0 { return }
        }
    }

    private mutating func skipScalar(_ line: borrowing Span<UInt8>) throws(LineFault) {
        switch peek(line) {
        case UInt8(ascii: "\""): _ = try text(line, "a value")
        case UInt8(ascii: "t"): try literal("true", line, "a value")
        case UInt8(ascii: "f"): try literal("false", line, "a value")
        case UInt8(ascii: "n"): try literal("null", line, "a value")
        default: _ = try number(line, "a value")
        }
    }
}

/// An error inside one line of a text format, such as JSON lines.
package struct LineFault: Error {
    /// The offset from the first byte of the line.
    package let offset: Int
    package let sentence: String
    /// Whether the line is valid as far as it goes: its writer was interrupted.
    package let isEnd: Bool

    package init(_ offset: Int, _ sentence: String, isEnd: Bool = false) {
        (self.offset, self.sentence, self.isEnd) = (offset, sentence, isEnd)
    }
}
