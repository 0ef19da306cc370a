/// Writes DER (X.690 §10) by composition; every function returns one whole element.
///
/// Our own writer, because certificates that are wrong on purpose are what libraries refuse to write.
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

    /// A number that is not negative, from its big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        var bytes = Array(magnitude.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return element(0x02, bytes)
    }

    static func integer(_ value: UInt64) -> [UInt8] {
        integer((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// Whole bytes.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// A list of named bits without trailing zeros (X.690 §11.2.2); numbers from 0.
    static func namedBits(_ numbers: [Int]) -> [UInt8] {
        guard let highest = numbers.max(), highest >= 0 else { return element(0x03, [0]) }
        var bytes = [UInt8](repeating: 0, count: highest / 8 + 1)
        for number in numbers where number >= 0 { bytes[number / 8] |= 0x80 >> UInt8(number % 8) }
        return element(0x03, [UInt8(7 - highest % 8)] + bytes)
    }

    /// `[number]` around whole elements, or in place of a tag.
    static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }
    /// `[number]` in place of the tag of something primitive.
    static func primitive(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0x80 | number, content) }

    /// From `1.2.840`; arcs that are no numbers are left out.
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
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
