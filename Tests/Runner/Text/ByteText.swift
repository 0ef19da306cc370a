/// Bytes as text that a person reads and writes.
///
/// A line end in the text stands for CR LF. The last one belongs to the bytes only if an empty line stands before it, so that
/// a head needs no escapes and content needs no mark. `\n`, `\r`, `\t`, `\0`, `\\` and `\xHH` stand for one byte, `\{8300 a}`
/// for a run, and a backslash at the end of a line joins it to the next.
enum ByteText {
    /// The bytes of a block.
    static func bytes(_ text: String, line: Int) throws(RowError) -> [UInt8] {
        var source = Array(text.utf8)
        if source.last == 0x0A, !(source.count == 1 || source[source.count - 2] == 0x0A) { source.removeLast() }
        return try unescape(source[...], line: line, lineEnd: [0x0D, 0x0A])
    }

    /// The bytes of a value within a line.
    static func bytes(inLine text: String, line: Int) throws(RowError) -> [UInt8] {
        try unescape(Array(text.utf8)[...], line: line, lineEnd: [])
    }

    private static func unescape(_ text: ArraySlice<UInt8>, line: Int, lineEnd: [UInt8]) throws(RowError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                if byte == 0x0A { bytes += lineEnd } else { bytes.append(byte) }
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case 0x0A: break
            case UInt8(ascii: "x"):
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
                else {
                    throw RowError(line, "\\x needs two hexadecimal digits behind it")
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "{"):
                let inside = rest.prefix(upTo: endOfRun(rest))
                let parts = inside.split(separator: UInt8(ascii: " "), maxSplits: 1)
                guard parts.count == 2, let count = Int(String(decoding: parts[0], as: UTF8.self)), count <= 1 << 24,
                    rest.count > inside.count
                else { throw RowError(line, "expected a run such as \\{8300 a} with at most 16777216 repetitions") }
                let unit = try unescape(parts[1], line: line, lineEnd: [])
                if let byte = unit.first, unit.count == 1 {
                    bytes += [UInt8](repeating: byte, count: count)
                } else {
                    for _ in 0..<count { bytes += unit }
                }
                rest = rest.dropFirst(inside.count + 1)
            default:
                throw RowError(line, "a backslash needs one of n r t 0 \\ xHH {N text} behind it; \\\\ is a backslash")
            }
        }
        return bytes
    }

    /// The place of the brace that ends a run, which may have runs within it.
    private static func endOfRun(_ text: ArraySlice<UInt8>) -> Int {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "{") where index > text.startIndex && text[index - 1] == UInt8(ascii: "\\"): depth += 1
            case UInt8(ascii: "}") where depth == 0: return index
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return text.endIndex
    }

    /// A line with its runs of 64 characters and more told by their number, as ``inLine(_:)`` does it.
    static func shortened(_ line: String) -> String {
        var text = ""
        var rest = line.unicodeScalars[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            rest = rest[run.endIndex...]
            let count = run.count
            if count >= 64 { text += "\\{\(count) \(first)}" } else { text.unicodeScalars.append(contentsOf: run) }
        }
        return text
    }

    /// The text of bytes as a block has it, with its last line end.
    static func text(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "" }
        let endsEmpty = bytes == [0x0D, 0x0A] || bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
        guard endsEmpty else {
            // A last line end alone must be written out.
            if bytes.suffix(2).elementsEqual([0x0D, 0x0A]) {
                return escape(bytes.dropLast(2), lineEnds: true) + "\\r\\n\n"
            }
            return escape(bytes[...], lineEnds: true) + "\n"
        }
        return escape(bytes[...], lineEnds: true)
    }

    /// The text of bytes within one line.
    static func inLine(_ bytes: some Sequence<UInt8>) -> String { escape(Array(bytes)[...], lineEnds: false) }

    private static func escape(_ bytes: ArraySlice<UInt8>, lineEnds: Bool) -> String {
        var text = ""
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            let run = bytes[index...].prefix { $0 == byte }.count
            if run >= 64 {
                text += "\\{\(run) \(unit(byte))}"
                index += run
                continue
            }
            if lineEnds, byte == 0x0D, index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A {
                text += "\n"
                index += 2
                continue
            }
            if byte >= 0x80, let character = character(at: index, of: bytes) {
                text += character.text
                index += character.byteCount
                continue
            }
            // A blank at the end of a line would be lost in editors.
            let isLast = index + 1 == bytes.endIndex || (lineEnds && bytes[index + 1] == 0x0D)
            text += byte == 0x20 && isLast ? "\\x20" : unit(byte)
            index += 1
        }
        return text
    }

    private static func unit(_ byte: UInt8) -> String {
        switch byte {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        case 0: "\\0"
        case UInt8(ascii: "\\"): "\\\\"
        case 0x20...0x7E: String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    /// A letter or sign of UTF-8 that a person can see.
    private static func character(at index: Int, of bytes: ArraySlice<UInt8>) -> (text: String, byteCount: Int)? {
        let count = bytes[index] >= 0xF0 ? 4 : bytes[index] >= 0xE0 ? 3 : 2
        guard let text = String(validating: bytes[index...].prefix(count), as: UTF8.self),
            let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
        else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse,
            .spaceSeparator,
            .nonspacingMark, .enclosingMark, .spacingMark:
            return nil
        default: return scalar == "…" ? nil : (text, count)
        }
    }
}
