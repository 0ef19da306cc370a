internal import ProctorHTTP
internal import ProctorScenario

/// Makes the nonces of one Digest offer.
struct NonceSource: Sendable {
    private let policy: Guard.DigestOffer.NoncePolicy.Source
    private var seeded: SplitMix64

    /// `scheme` keeps two offers of one seed from giving the same nonces.
    init(_ policy: Guard.DigestOffer.NoncePolicy.Source, scheme: Int) {
        self.policy = policy
        var seed: UInt64 = 0
        if case .seed(let given) = policy { seed = given }
        var random = SplitMix64(seed: seed)
        for _ in 0..<scheme { _ = random.next() }
        seeded = SplitMix64(seed: random.next())
    }

    /// 128 bits in hexadecimal, or the fixture's text.
    mutating func next() -> [UInt8] {
        switch policy {
        case .fixed(let text): return Array(text.utf8)
        case .random:
            var random = SystemRandomNumberGenerator()
            return Self.text(random.next(), random.next())
        case .seed:
            let high = seeded.next()
            return Self.text(high, seeded.next())
        }
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [high, low] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> shift & 15)
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return bytes
    }
}
