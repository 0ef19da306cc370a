/// Finds primes for RSA in a stream of bytes.
///
/// OpenSSL's own test does 64 to 128 rounds on any number, for primes that an adversary may have chosen; ours come from a
/// stream, where six rounds leave less doubt than 2⁻¹⁰⁰ (FIPS 186-5, table B.1) and a key of 8192 bits takes half the time.
struct PrimeSearch {
    private var stream: KeyStream
    private static let exponent: UInt32 = 65_537
    private static let roundCount = 6
    /// Steps from one start, before another is drawn.
    private static let stepCount: UInt32 = 8_192

    init(_ stream: KeyStream) {
        self.stream = stream
    }

    /// A prime of exactly that many bits (a multiple of 8), the highest two of them set, to which 65537 is no divisor
    /// of the predecessor.
    mutating func prime(bitCount: Int) -> BigNumber {
        while true {
            var bytes = stream.bytes(bitCount / 8)
            bytes[0] |= 0xC0
            // 3 modulo 4, so that one power decides a round.
            bytes[bytes.count - 1] |= 3
            let start = BigNumber(bytes)
            let remainders = Self.smallPrimes.map { (prime: $0, remainder: start.remainder(by: $0)) }
            for step in 0..<Self.stepCount {
                let offset = 4 * step
                guard !remainders.contains(where: { ($0.remainder + offset) % $0.prime == 0 }) else { continue }
                let candidate = start + offset
                guard candidate.remainder(by: Self.exponent) != 1, candidate.bytes.count == bitCount / 8 else {
                    continue
                }
                if isPrime(candidate) { return candidate }
            }
        }
    }

    /// Miller and Rabin, with 2 and then with bases of the stream; `number` is 3 modulo 4.
    private mutating func isPrime(_ number: BigNumber) -> Bool {
        let one = BigNumber(1)
        let minusOne = number - 1
        for round in 0..<Self.roundCount {
            let base = round == 0 ? BigNumber(2) : BigNumber([1] + stream.bytes(7))
            let power = base.power(minusOne.half, modulo: number)
            guard power == one || power == minusOne else { return false }
        }
        return true
    }

    /// The odd ones below 2¹³.
    private static let smallPrimes: [UInt32] = {
        var isComposite = [Bool](repeating: false, count: 8_192)
        var primes: [UInt32] = []
        for number in stride(from: 3, to: isComposite.count, by: 2) where !isComposite[number] {
            primes.append(UInt32(number))
            for multiple in stride(from: number * number, to: isComposite.count, by: number) {
                isComposite[multiple] = true
            }
        }
        return primes
    }()
}
