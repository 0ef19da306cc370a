import ProctorBase

/// Makes private keys out of a stream: the same stream gives the same key.
enum KeyMaker {
    /// Blocks for as long as primes take: a fifth of a second for 2048 bits, some seconds for 8192.
    static func key(_ kind: CertificateProfile.KeyKind, from stream: KeyStream) throws(CallFailure) -> PrivateKey {
        var stream = stream
        switch kind {
        case .rsa512: return try rsa(512, stream)
        case .rsa1024: return try rsa(1_024, stream)
        case .rsa2048: return try rsa(2_048, stream)
        case .rsa3072: return try rsa(3_072, stream)
        case .rsa4096: return try rsa(4_096, stream)
        case .rsa8192: return try rsa(8_192, stream)
        case .ecc256: return try curve("1.2.840.10045.3.1.7", scalar(32, &stream))
        case .ecc384: return try curve("1.3.132.0.34", scalar(48, &stream))
        case .ecc521: return try curve("1.3.132.0.35", [0] + scalar(65, &stream))
        case .ed25519:
            // RFC 8410 §7.
            let inner = DER.octets(DER.octets(stream.bytes(32)))
            return try PrivateKey(der: DER.sequence(DER.integer(0), DER.sequence(DER.oid("1.3.101.112")), inner))
        }
    }

    /// RSAPrivateKey of RFC 8017 §A.1.2, in PKCS#8.
    private static func rsa(_ bitCount: Int, _ stream: KeyStream) throws(CallFailure) -> PrivateKey {
        var search = PrimeSearch(stream)
        let one = search.prime(bitCount: bitCount / 2)
        var other = search.prime(bitCount: bitCount / 2)
        while one == other { other = search.prime(bitCount: bitCount / 2) }
        let (large, small) = other < one ? (one, other) : (other, one)
        let exponent = BigNumber(65_537)
        let secret = exponent.inverse(modulo: (large - 1) * (small - 1))
        let numbers = [
            large * small, exponent, secret, large, small, secret % (large - 1), secret % (small - 1),
            small.inverse(modulo: large),
        ]
        let inner = DER.sequence(of: [DER.integer(0)] + numbers.map { DER.integer($0.bytes) })
        let algorithm = DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null)
        return try PrivateKey(der: DER.sequence(DER.integer(0), algorithm, DER.octets(inner)))
    }

    /// Below the order of its curve, as the highest bit is clear.
    private static func scalar(_ byteCount: Int, _ stream: inout KeyStream) -> [UInt8] {
        var bytes = stream.bytes(byteCount)
        bytes[0] &= 0x7F
        return bytes
    }

    /// ECPrivateKey of RFC 5915 §3, in PKCS#8; with the public key, which some readers insist on.
    private static func curve(_ oid: String, _ scalar: [UInt8]) throws(CallFailure) -> PrivateKey {
        func wrapped(_ more: [UInt8]) -> [UInt8] {
            let inner = DER.sequence(DER.integer(1), DER.octets(scalar), more)
            let algorithm = DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid(oid))
            return DER.sequence(DER.integer(0), algorithm, DER.octets(inner))
        }
        let bare = try PrivateKey(der: wrapped([]))
        return try PrivateKey(der: wrapped(DER.context(1, DER.bits(bare.publicBits))))
    }
}
