import ProctorBase

/// A form in application/x-www-form-urlencoded, or the query of a URL (WHATWG URL §5).
package struct URLEncodedForm: Sendable, Equatable {
    /// In order; a name may repeat.
    package var pairs: [Pair]

    /// One field of the form with its escapes undone.
    package struct Pair: Sendable, Hashable {
        package var name: [UInt8]
        /// Empty without an equals sign.
        package var value: [UInt8]

        package init(name: some Sequence<UInt8>, value: some Sequence<UInt8>) {
            self.name = Array(name)
            self.value = Array(value)
        }
    }

    package init(_ pairs: [Pair]) { self.pairs = pairs }

    /// Reads any bytes: an invalid percent-escape stays unchanged, and empty text between ampersands is skipped.
    ///
    /// Throws only for more than `pairLimit` pairs.
    package init(parsing bytes: some Collection<UInt8>, pairLimit: Int = usualPairLimit) throws(FormViolation) {
        pairs = []
        let bytes = Array(bytes)
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < pairLimit else {
                throw FormViolation(.tooManyPairs(bound: pairLimit), at: piece.startIndex)
            }
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            pairs.append(
                Pair(name: Self.unescaped(piece[..<equals]), value: Self.unescaped(piece[equals...].dropFirst())))
        }
    }

    package func values(of name: String) -> [[UInt8]] {
        pairs.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The form as bytes: `+` for spaces, escapes for all but letters, digits and `*-._` (§5.2).
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (number, pair) in pairs.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "&")) }
            Self.escape(pair.name, into: &bytes)
            bytes.append(UInt8(ascii: "="))
            Self.escape(pair.value, into: &bytes)
        }
        return bytes
    }

    /// The first value of a name, without escapes; nil if no pair has the name.
    ///
    /// The number of pairs is not limited.
    package static func firstValue(of name: String, in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[piece.endIndex...].dropFirst()
            let given = piece.prefix { $0 != UInt8(ascii: "=") }
            guard !piece.isEmpty, isSame(given, name) else { continue }
            return unescaped(piece[given.endIndex...].dropFirst())
        }
        return nil
    }

    private static func isSame(_ given: ArraySlice<UInt8>, _ name: String) -> Bool {
        hasEscapes(given) ? unescaped(given).elementsEqual(name.utf8) : given.elementsEqual(name.utf8)
    }

    private static func hasEscapes(_ text: ArraySlice<UInt8>) -> Bool {
        for byte in text where byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { return true }
        return false
    }

    /// The limit of pairs that readers use by default.
    package static let usualPairLimit = 1_000

    /// An upper bound of the number of pairs: the texts between ampersands, including empty ones.
    package static func pieceCount(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.isEmpty ? 0 : bytes.count { $0 == UInt8(ascii: "&") } + 1
    }

    /// Lends each pair from the last to the first, without escapes.
    ///
    /// The number of pairs is not limited.
    package static func forEachFromLast(
        in bytes: ArraySlice<UInt8>, _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
    ) {
        var end = bytes.endIndex
        while true {
            let before = bytes[..<end].lastIndex(of: UInt8(ascii: "&"))
            let piece = bytes[(before.map { $0 + 1 } ?? bytes.startIndex)..<end]
            if !piece.isEmpty {
                let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
                body(lent(piece[..<equals]), lent(piece[equals...].dropFirst()))
            }
            guard let before else { return }
            end = before
        }
    }

    private static func lent(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        hasEscapes(text) ? unescaped(text)[...] : text
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard hasEscapes(text) else { return Array(text) }
        return PercentText.decode(text.map { $0 == UInt8(ascii: "+") ? .space : $0 }) ?? []
    }

    private static func escape(_ text: [UInt8], into bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case .space: bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): bytes.append(byte)
            case _ where byte.isASCIIDigit || byte.isASCIILetter: bytes.append(byte)
            default: PercentText.append(byte, to: &bytes)
            }
        }
    }
}
