import ProctorBase
internal import ProctorDocument
import ProctorGrading

/// Writes values as literals of Python.
enum PythonLiteral {
    /// `b"GET / HTTP/1.1\r\n"` of Python.
    static func bytes(_ bytes: some Collection<UInt8>) -> String { "b\"\(escaped(bytes))\"" }

    /// Bytes as Python literals, one below the other for each line; a repeated unit is multiplied.
    ///
    /// `now` is in seconds since 1970: dates after it are written as a distance from the time of the reproduction; nil:
    /// dates are not changed.
    static func bytes(_ bytes: [UInt8], indentation: Int, now: Int?) -> String {
        let gap = "\n" + String(repeating: " ", count: indentation)
        var terms: [String] = []
        func add(_ piece: ArraySlice<UInt8>) {
            guard !piece.isEmpty else { return }
            terms.append(lines(piece).map { self.bytes($0) }.joined(separator: gap))
        }
        var start = 0
        for date in now.map({ dates(in: bytes, after: $0) }) ?? [] {
            add(bytes[start..<date.start])
            terms.append("date(\(date.delay))")
            start = date.start + dateByteCount
        }
        let (once, unit, count) = repetition(bytes[start...])
        add(once)
        if count > 0 { terms.append("\(self.bytes(unit)) * \(count)") }
        return terms.isEmpty ? self.bytes([]) : terms.joined(separator: gap + "+ ")
    }

    /// `"text"` of Python.
    static func text(_ text: String) -> String {
        text.literal { $0.value < 0x20 || $0.value == 0x7F ? "\\x\(hexadecimal($0.value))" : nil }
    }

    static func escaped(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): text += "\\\""
            case UInt8(ascii: "\\"): text += "\\\\"
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x\(hexadecimal(UInt32(byte)))"
            }
        }
        return text
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [rest]
    }

    /// The bytes before a unit that is repeated to the end; count 0 when a repetition would make the literal hardly
    /// shorter.
    private static func repetition(_ bytes: ArraySlice<UInt8>) -> (
        once: ArraySlice<UInt8>, unit: ArraySlice<UInt8>, count: Int
    ) {
        for period in 1...longestUnit where bytes.count > shortestRun {
            var start = bytes.endIndex - period
            while start > bytes.startIndex, bytes[start - 1] == bytes[start - 1 + period] { start -= 1 }
            let count = (bytes.endIndex - start) / period
            let first = bytes.endIndex - count * period
            if count * period > shortestRun { return (bytes[..<first], bytes[first..<first + period], count) }
        }
        return (bytes, [], 0)
    }

    private static let longestUnit = 64
    private static let shortestRun = 512
}
