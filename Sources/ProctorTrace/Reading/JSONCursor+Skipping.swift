extension JSONCursor {
    /// Passes over a value of any kind, which must be JSON all the same; takes no stack, however deep it is.
    mutating func skipValue(_ line: borrowing Span<UInt8>) throws(LineFault) {
        // One bit for each level, the innermost last: 1 is an object.
        var kinds: UInt64 = 0
        var depth = 0
        while true {
            skipBlanks(line)
            var isFirst = true
            if let byte = peek(line), byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                guard depth < Self.deepest else {
                    throw LineFault(offset, "objects and lists go no more than \(Self.deepest) levels deep")
                }
                kinds = kinds << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                depth += 1
                offset += 1
            } else {
                try skipScalar(line)
                isFirst = false
            }
            // Out of everything that ends here, and on to the next value.
            while depth > 0 {
                let goesOn =
                    if kinds & 1 == 1 {
                        try key(line, isFirst: &isFirst) != nil
                    } else {
                        try element(line, isFirst: &isFirst)
                    }
                if goesOn { break }
                kinds >>= 1
                depth -= 1
                isFirst = false
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
