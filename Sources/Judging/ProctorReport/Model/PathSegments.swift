/// Makes unique path segments from names; file systems and URLs accept them unchanged.
struct PathSegments {
    private var taken: Set<String>

    /// `reserved` are segments that are given to no name.
    init(reserved: Set<String> = []) { taken = reserved }

    /// `Swift URLSession (async)` becomes `swift-urlsession-async`; a second name with the same result gets a number.
    mutating func segment(for name: String) -> String {
        let base = Self.plain(name.lowercased(), otherwise: "-")
        let plain = base.split(separator: "-").joined(separator: "-")
        let first = plain.isEmpty ? "client" : plain
        var segment = first
        var number = 2
        while !taken.insert(segment).inserted {
            segment = "\(first)-\(number)"
            number += 1
        }
        return segment
    }

    /// The path for an id; each byte other than letters, digits and `-.@/` becomes `_` and two hexadecimal digits.
    static func path(_ id: String) -> String {
        var path = ""
        for segment in id.split(separator: "/", omittingEmptySubsequences: false) {
            if !path.isEmpty { path += "/" }
            // A segment must not be `..` or a hidden file.
            path += segment.hasPrefix(".") ? "_2E" + escaped(segment.dropFirst()) : escaped(segment)
        }
        return path
    }

    private static func escaped(_ text: Substring) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "_0\(digits)" : "_\(digits)"
            }
        }
    }

    private static func plain(_ text: String, otherwise: Character) -> String {
        String(text.utf8.map { isPlain($0) ? Character(Unicode.Scalar($0)) : otherwise })
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
