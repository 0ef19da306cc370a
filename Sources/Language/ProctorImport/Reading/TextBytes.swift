import ProctorBase

/// The bytes of a text that a recorder has decoded, perhaps by another charset than they have.
///
/// Browsers decode text of an unnamed charset as windows-1252 (WHATWG Encoding §4.2 names ISO 8859-1 so too), and proxies
/// write a byte as the letter of its number.
struct TextBytes {
    let bytes: [UInt8]
    /// Nil where the bytes are those that came.
    let remark: String?

    /// `lengths`: what the source says of the number of bytes, which decides; then `charset` does, then UTF-8.
    init(_ text: String, charset: String?, lengths: [Int?]) {
        let utf8 = Array(text.utf8)
        guard !utf8.allSatisfy({ $0 < 0x80 }) else {
            (bytes, remark) = (utf8, nil)
            return
        }
        let legacy = Self.legacy(text)
        for length in lengths {
            if length == utf8.count || length == legacy?.count {
                (bytes, remark) = (length == utf8.count ? utf8 : legacy ?? utf8, nil)
                return
            }
        }
        switch charset {
        case nil, "utf-8", "utf8", "us-ascii", "ascii", "ascii-8bit", "binary": (bytes, remark) = (utf8, nil)
        case let name? where Self.legacyNames.contains(name) && legacy != nil: (bytes, remark) = (legacy ?? utf8, nil)
        case let name?:
            bytes = utf8
            remark = "the content was \(name) and is sent as UTF-8, while Content-Type still says \(name)"
        }
    }

    private static let legacyNames: Set<String> = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252"]

    /// One byte for each letter; nil where one has none.
    private static func legacy(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value <= 0xFF {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if let place = high.firstIndex(of: scalar.value) {
                bytes.append(0x80 + UInt8(place))
            } else {
                return nil
            }
        }
        return bytes
    }

    /// The letters of windows-1252, from 0x80 on; 0 stands for a byte without a letter of its own.
    private static let high: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}
