internal import ProctorBase

/// Writes DER (X.690 §10); every function returns one complete element.
///
/// Libraries refuse to write the deliberate errors that some certificates need.
enum DER {
    /// A tag of one byte, the length, and the content.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func sequence(of parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func set(_ part: [UInt8]) -> [UInt8] { element(0x31, part) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xFF : 0]) }
    static func enumerated(_ value: UInt8) -> [UInt8] { element(0x0A, [value]) }
    static let null: [UInt8] = [0x05, 0x00]

    /// An INTEGER that is not negative, from its big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func integer(_ value: UInt64) -> [UInt8] { integer(value.bigEndianBytes) }

    /// A BIT STRING of whole bytes.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// Named bits, from 0, without trailing zeros (X.690 §11.2.2).
    static func namedBits(_ numbers: [Int]) -> [UInt8] {
        guard let highest = numbers.max(), highest >= 0 else { return element(0x03, [0]) }
        var bytes = [UInt8](repeating: 0, count: highest / 8 + 1)
        for number in numbers where number >= 0 { bytes[number / 8] |= 0x80 >> UInt8(number % 8) }
        return element(0x03, [UInt8(7 - highest % 8)] + bytes)
    }

    /// `[number]`, constructed.
    static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }
    /// `[number]`, primitive.
    static func primitive(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0x80 | number, content) }

    /// An OBJECT IDENTIFIER from `1.2.840`; arcs that are no numbers are skipped.
    static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2 else { return element(0x06, []) }
        var content: [UInt8] = []
        for arc in [arcs[0] &* 40 &+ arcs[1]] + arcs[2...] {
            var rest = arc >> 7
            var groups = [UInt8(arc & 0x7F)]
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            content += groups.reversed()
        }
        return element(0x06, content)
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = UInt64(count).bigEndianBytes.drop { $0 == 0 }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}

extension FixedWidthInteger {
    /// The bytes with the most significant one first.
    var bigEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}

extension DER {
    /// Seconds of a day; all dates of certificates are whole days.
    static let day: Int64 = 86_400

    /// UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 §4.1.2.5).
    static func time(_ seconds: Int64) -> [UInt8] {
        let text = digits(seconds)
        return text.count == 14 && text.prefix(4) >= "1950" && text.prefix(4) < "2050"
            ? element(0x17, Array((text.dropFirst(2) + "Z").utf8)) : generalizedTime(seconds)
    }

    /// With a year of four digits (RFC 6960 §4.2.2.1).
    static func generalizedTime(_ seconds: Int64) -> [UInt8] { element(0x18, Array((digits(seconds) + "Z").utf8)) }

    /// `YYYYMMDDhhmmss` of seconds since 1970, UTC.
    private static func digits(_ seconds: Int64) -> String {
        let day = seconds >= 0 ? seconds / Self.day : (seconds - Self.day + 1) / Self.day
        let second = seconds - day * Self.day
        // Counts days from 1 March of year 0, so that a leap day is the last day of its year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let parts = [
            month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, second / 3_600, second / 60 % 60, second % 60,
        ]
        return padded(year, 4) + parts.map { padded($0, 2) }.joined()
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// Reads DER elements in order; returns nil for a truncated element.
struct DERReader {
    struct Element: Equatable {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        /// The element with its tag and length.
        let whole: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> Element? {
        let start = rest
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            guard case 0x81...0x83 = first else { return nil }
            count = 0
            for _ in 0..<Int(first & 0x7F) {
                guard let byte = rest.popFirst() else { return nil }
                count = count << 8 | Int(byte)
            }
        }
        guard count <= rest.count else { return nil }
        let content = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Element(tag: tag, content: content, whole: start[start.startIndex..<content.endIndex])
    }

    /// The content of the next element, if it has that tag; otherwise nil, and nothing is consumed.
    mutating func readElement(_ tag: UInt8) -> ArraySlice<UInt8>? {
        var copy = self
        guard let element = copy.next(), element.tag == tag else { return nil }
        self = copy
        return element.content
    }
}

/// The textual form of DER (RFC 7468): base64 in lines of 64 between two labels.
enum PEMText {
    static func text(_ label: String, _ der: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        let digits = Base64Text.encode(der)
        var rest = Substring(digits)
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }

    /// The content of the first block with that label; nil if there is none, or if it is no base64.
    static func block(_ label: String, in text: String) -> [UInt8]? {
        guard let start = text.firstRange(ofText: "-----BEGIN \(label)-----"),
            let end = text[start.upperBound...].firstRange(ofText: "-----END \(label)-----")
        else { return nil }
        return try? Base64Text.decode(Array(text[start.upperBound..<end.lowerBound].utf8))
    }
}
