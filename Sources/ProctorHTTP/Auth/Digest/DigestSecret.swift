import ProctorBase

/// The hash of user, realm and password (A1 of RFC 7616 §3.4.2), which is as good as the password in that realm.
public struct DigestSecret: Sendable, Equatable {
    /// What it is hashed with.
    public let function: HashFunction
    /// In hexadecimal digits; never to be shown.
    public let digits: [UInt8]

    /// The secret of an account; text is meant as UTF-8 (RFC 7616 §4).
    public init(
        user: some Sequence<UInt8>, realm: some Sequence<UInt8>, password: some Sequence<UInt8>,
        function: HashFunction, by hasher: some DigestHasher
    ) {
        self.function = function
        digits = DigestText.hash(
            function, ofParts: [Array(user), Array(realm), Array(password)], by: hasher)
    }

    private init(function: HashFunction, digits: [UInt8]) {
        self.function = function
        self.digits = digits
    }

    /// The secret of a `-sess` algorithm: with the nonces of the first request that answers a challenge.
    public func session(nonce: [UInt8], clientNonce: [UInt8], by hasher: some DigestHasher) -> Self {
        Self(function: function, digits: DigestText.hash(function, ofParts: [digits, nonce, clientNonce], by: hasher))
    }
}

extension DigestSecret: CustomStringConvertible {
    /// Tells the length alone.
    public var description: String { "a secret of \(digits.count) digits" }
}

/// Hashes as Digest writes them.
enum DigestText {
    /// LHEX (RFC 7616 §3.4): lower-case digits, two for each byte.
    static func appendHexadecimal(_ bytes: [UInt8], to output: inout [UInt8]) {
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 0x0F))
        }
    }

    /// The hash of some bytes in hexadecimal digits.
    static func hash(_ function: HashFunction, of bytes: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        var raw: [UInt8] = []
        raw.reserveCapacity(function.byteCount)
        hasher.appendHash(function, of: bytes.span, to: &raw)
        var digits: [UInt8] = []
        digits.reserveCapacity(raw.count * 2)
        appendHexadecimal(raw, to: &digits)
        return digits
    }

    /// The hash of several parts with colons between.
    static func hash(
        _ function: HashFunction, ofParts parts: [[UInt8]], by hasher: some DigestHasher
    ) -> [UInt8] {
        hash(function, of: Array(parts.joined(separator: [UInt8(ascii: ":")])), by: hasher)
    }

    /// Eight LHEX (RFC 7616 §3.4).
    static func nonceCount(_ count: UInt32) -> [UInt8] {
        var digits: [UInt8] = []
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            appendHexadecimal([UInt8(truncatingIfNeeded: count >> shift)], to: &digits)
        }
        return digits
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension UInt8 {
    /// LHEX: a hexadecimal digit, no capital.
    var isLowerHexadecimal: Bool { isASCIIDigit || 0x61...0x66 ~= self }
}
