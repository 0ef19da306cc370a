internal import ProctorBase

/// The Set-Cookie fields of a reply's head as it stands on the wire, read as leniently as clients do.
enum ReplyFields {
    /// Values of the final head, and where it ends; nil where no head is whole.
    ///
    /// Lines end with LF, a CR before it or not; what 1xx heads say is passed over, as user agents may (RFC 6265 §3).
    static func setCookies(inRaw bytes: [UInt8]) -> (values: [[UInt8]], headByteCount: Int)? {
        var start = 0
        while let head = head(bytes, from: start) {
            guard !isInterim(head.lines) else {
                start = head.end
                continue
            }
            return (head.lines.dropFirst().compactMap(value), head.end)
        }
        return nil
    }

    static func isSetCookie(_ name: some Collection<UInt8>) -> Bool {
        name.count == setCookie.count && zip(name, setCookie).allSatisfy { $0.asciiLowercased == $1 }
    }

    /// A cheap look for what may be such a field.
    static func mentionsSetCookie(_ text: [UInt8]) -> Bool {
        guard text.count >= setCookie.count else { return false }
        return (0...(text.count - setCookie.count)).contains {
            text[$0].asciiLowercased == setCookie[0] && isSetCookie(text[$0..<($0 + setCookie.count)])
        }
    }

    /// Without the white space around it, which is no part of it (RFC 9110 §5.5).
    static func trimmed(_ value: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = value.lastIndex(where: { !isBlank($0) }) else { return [] }
        return Array(value[...last].drop(while: isBlank))
    }

    private static let setCookie = Array("set-cookie".utf8)

    /// Lines up to an empty one, without their ends.
    private static func head(_ bytes: [UInt8], from start: Int) -> (lines: [ArraySlice<UInt8>], end: Int)? {
        var lines: [ArraySlice<UInt8>] = []
        var lineStart = start
        while let end = bytes[lineStart...].firstIndex(of: 0x0A) {
            var line = bytes[lineStart..<end]
            if line.last == 0x0D { line = line.dropLast() }
            lineStart = end + 1
            if line.isEmpty { return (lines, lineStart) }
            lines.append(line)
        }
        return nil
    }

    /// A status of 1xx but for 101, behind which no other head follows.
    private static func isInterim(_ lines: [ArraySlice<UInt8>]) -> Bool {
        guard let words = lines.first?.split(separator: UInt8(ascii: " ")), words.count > 1 else { return false }
        return words[1].count == 3 && words[1].first == UInt8(ascii: "1") && !words[1].elementsEqual("101".utf8)
    }

    private static func value(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isSetCookie(trimmed(line[..<colon])) else {
            return nil
        }
        return trimmed(line[(colon + 1)...])
    }
}
