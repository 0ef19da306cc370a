import ProctorBase

/// Counts the values of a JSON text without building any, so that what is refused takes no memory.
enum JSONCount {
    /// Throws where more values than `limit` begin.
    ///
    /// Text that is no JSON may pass; the parser then says what is wrong with it.
    static func check(_ text: [UInt8], limit: Int) throws(LineFault) {
        // A comma outside of a text stands between two values; the parser counts lists and objects too.
        var count = 1
        var isInText = false
        var isEscaped = false
        for (offset, byte) in text.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: ","): count += 1
            default: continue
            }
            guard count <= limit else { throw LineFault(offset, "there are more than \(limit) values") }
        }
    }
}
