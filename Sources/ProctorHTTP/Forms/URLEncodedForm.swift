import ProctorBase

/// A form in application/x-www-form-urlencoded, and the query of a URL, which is often one (WHATWG URL §5).
public struct URLEncodedForm: Sendable, Equatable {
    /// In order; the same name may come again.
    public var pairs: [Pair]

    /// One field of the form, its escapes undone.
    public struct Pair: Sendable, Hashable {
        /// Mostly UTF-8, but kept byte for byte.
        public var name: [UInt8]
        /// Empty where there is no equals sign.
        public var value: [UInt8]

        /// Bytes before they are escaped.
        public init(name: some Sequence<UInt8>, value: some Sequence<UInt8>) {
            self.name = Array(name)
            self.value = Array(value)
        }
    }

    /// A form of one's own.
    public init(_ pairs: [Pair]) { self.pairs = pairs }

    /// Reads any bytes: a percent sign that escapes nothing is one, and empty pieces between ampersands are no pairs.
    ///
    /// More than `pairLimit` pairs are refused; no other bytes are.
    public init(
        parsing bytes: some Collection<UInt8>, pairLimit: Int = 1_000
    ) throws(FormViolation) {
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

    /// The values of all pairs of this name, in order.
    public func values(of name: String) -> [[UInt8]] {
        pairs.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The form as a client sends it: `+` for spaces, escapes for all but letters, digits and `*-._` (§5.2).
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (number, pair) in pairs.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "&")) }
            Self.escape(pair.name, into: &bytes)
            bytes.append(UInt8(ascii: "="))
            Self.escape(pair.value, into: &bytes)
        }
        return bytes
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        PercentText.decode(text.map { $0 == UInt8(ascii: "+") ? .space : $0 }) ?? []
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
