import ProctorBase

/// The words that recorders write in place of values (`filter_sensitive_data` of VCR): `<LOGIN>`, `<<TOKEN>>`, `<<<key>>>`.
struct Placeholders: Sendable {
    /// In the order in which they came, without repetitions.
    private(set) var texts: [[UInt8]] = []
    private var known: Set<[UInt8]> = []
    private var matcher: ValueMatcher?
    /// How many there are beyond ``most``, which are taken literally.
    private(set) var leftCount = 0

    private static let most = 1_000
    private static let longestName = 64
    private static let open = UInt8(ascii: "<")
    private static let close = UInt8(ascii: ">")

    /// Where a word stands.
    enum Place {
        /// No `<` stands in a target by itself (RFC 3986 §2.2), so that a name may have small letters.
        case target
        /// Names have capital letters, digits and `_`, since fields have URLs in such brackets.
        case field
        /// Names are as in a field, without the elements of XML and HTML.
        case content
    }

    mutating func collect(in bytes: [UInt8], of place: Place) {
        guard bytes.contains(Self.open) else { return }
        let found = Self.words(in: bytes, of: place)
        let elements = place == .content ? Set(found.filter(\.isEnd).map(\.name)) : []
        for word in found where !word.isEnd && !elements.contains(word.name) {
            let text = Array(bytes[word.range])
            guard !known.contains(text) else { continue }
            guard texts.count < Self.most else {
                leftCount += 1
                continue
            }
            known.insert(text)
            texts.append(text)
        }
    }

    /// Call it when all of them are collected.
    mutating func prepare() { matcher = texts.isEmpty ? nil : ValueMatcher(texts) }

    var isEmpty: Bool { texts.isEmpty }

    func contain(_ bytes: some Collection<UInt8>) -> Bool { !texts.isEmpty && known.contains(Array(bytes)) }

    func stand(in bytes: [UInt8]) -> Bool { !ranges(in: bytes).isEmpty }

    /// In order, without overlaps.
    func ranges(in bytes: [UInt8]) -> [Range<Int>] { matcher?.matches(in: bytes).map(\.range) ?? [] }

    /// The text with another one in the place of each.
    func replaced(in text: String, by other: String) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        var made: [UInt8] = []
        var end = 0
        for range in ranges(in: bytes) {
            made += bytes[end..<range.lowerBound] + Array(other.utf8)
            end = range.upperBound
        }
        return String(decoding: made + bytes[end...], as: UTF8.self)
    }

    /// A target whose brackets were escaped, with the brackets themselves.
    static func unescaped(_ target: String) -> String {
        guard target.utf8.contains(UInt8(ascii: "%")) else { return target }
        let plain = ["%3C": "<", "%3c": "<", "%3E": ">", "%3e": ">"].reduce(target) {
            $0.replacing(text: $1.key, with: $1.value)
        }
        var all = Placeholders()
        all.collect(in: Array(plain.utf8), of: .target)
        return all.isEmpty ? target : plain
    }

    private struct Word {
        let name: ArraySlice<UInt8>
        let range: Range<Int>
        /// Whether it is the end of an element, or an element without content.
        let isEnd: Bool
    }

    /// Names between one to three brackets on each side.
    private static func words(in bytes: [UInt8], of place: Place) -> [Word] {
        var words: [Word] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: open) {
            var nameStart = start
            while nameStart < bytes.count, nameStart < start + 3, bytes[nameStart] == open { nameStart += 1 }
            let depth = nameStart - start
            let isClosing = nameStart < bytes.count && bytes[nameStart] == UInt8(ascii: "/")
            if isClosing { nameStart += 1 }
            let end = bytes[nameStart...].prefix(longestName).firstIndex { !isPart($0, of: place) } ?? nameStart
            index = max(end, start + 1)
            guard end > nameStart, bytes[nameStart].isASCIILetter else { continue }
            let isEmptyElement = end < bytes.count && bytes[end] == UInt8(ascii: "/")
            let closing = isEmptyElement ? end + 1 : end
            guard closing + depth <= bytes.count, bytes[closing..<closing + depth].allSatisfy({ $0 == close }) else {
                // An element with attributes.
                if end < bytes.count, bytes[end] == 0x20 {
                    words.append(Word(name: bytes[nameStart..<end], range: start..<end, isEnd: true))
                }
                continue
            }
            index = closing + depth
            words.append(
                Word(
                    name: bytes[nameStart..<end], range: start..<closing + depth, isEnd: isClosing || isEmptyElement))
        }
        return words
    }

    private static func isPart(_ byte: UInt8, of place: Place) -> Bool {
        if byte.isASCIIDigit || byte == UInt8(ascii: "_") { return true }
        if place == .target { return byte.isASCIILetter || byte == UInt8(ascii: "-") }
        return byte.isASCIILetter && byte < UInt8(ascii: "a")
    }
}
