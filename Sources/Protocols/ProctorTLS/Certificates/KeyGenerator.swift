internal import COpenSSL
internal import ProctorBase

/// Makes private keys from a stream of bytes: the same stream gives the same key.
enum KeyGenerator {
    /// Blocks: about 0.2 s for RSA of 2048 bits, about 1 s for 4096 and 8192.
    static func key(_ kind: CertificateProfile.KeyKind, from stream: KeyStream) throws(CallFailure) -> PrivateKey {
        var stream = stream
        switch kind {
        case .rsa512: return try rsa(512, stream)
        case .rsa1024: return try rsa(1_024, stream)
        case .rsa2048: return try rsa(2_048, stream)
        case .rsa3072: return try rsa(3_072, stream)
        case .rsa4096: return try rsa(4_096, stream)
        case .rsa8192: return try rsa(8_192, primeCount: 4, stream)
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
    ///
    /// The time to find a prime grows with the fourth power of its size, so four primes are found in an eighth of the time of
    /// two (RFC 8017 §3.2). A client sees the public key alone, in which there is no difference.
    private static func rsa(
        _ bitCount: Int, primeCount: Int = 2, _ stream: KeyStream
    ) throws(CallFailure) -> PrivateKey {
        var search = PrimeSearch(stream)
        // The product has all bits where each prime is 2^(-1/count) of its range: 0.75 of two, 0.84 of four.
        let highest: UInt8 = primeCount == 2 ? 0xC0 : 0xD8
        var primes: [NaturalNumber] = []
        while primes.count < primeCount {
            let prime = search.prime(bitCount: bitCount / primeCount, highest: highest)
            if !primes.contains(where: { $0 == prime }) { primes.append(prime) }
        }
        primes.sort { $1 < $0 }
        let (large, small) = (primes[0], primes[1])
        let exponent = NaturalNumber(65_537)
        let modulus = primes.dropFirst().reduce(large) { $0 * $1 }
        let secret = exponent.inverse(modulo: primes.dropFirst().reduce(large - 1) { $0 * ($1 - 1) })
        let numbers = [
            modulus, exponent, secret, large, small, secret % (large - 1), secret % (small - 1),
            small.inverse(modulo: large),
        ]
        // OtherPrimeInfo: the prime, its exponent, and the coefficient of the product of all primes before it.
        let others = primes.indices.dropFirst(2).map { index in
            let (prime, before) = (primes[index], primes[..<index].dropFirst().reduce(large) { $0 * $1 })
            return DER.sequence(
                of: [prime, secret % (prime - 1), before.inverse(modulo: prime)].map { DER.integer($0.bytes) })
        }
        let version = DER.integer(others.isEmpty ? 0 : 1)
        let inner = DER.sequence(
            of: [version] + numbers.map { DER.integer($0.bytes) } + (others.isEmpty ? [] : [DER.sequence(of: others)]))
        let algorithm = DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null)
        return try PrivateKey(der: DER.sequence(DER.integer(0), algorithm, DER.octets(inner)))
    }

    /// Less than the order of the curve, since the highest bit is clear.
    private static func scalar(_ byteCount: Int, _ stream: inout KeyStream) -> [UInt8] {
        var bytes = stream.bytes(byteCount)
        bytes[0] &= 0x7F
        return bytes
    }

    /// ECPrivateKey of RFC 5915 §3, in PKCS#8, with the public key that some readers require.
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

/// Finds RSA primes in a stream of bytes.
///
/// OpenSSL tests numbers in 64 to 128 rounds, for primes that an adversary may have chosen. For random numbers six
/// rounds give an error probability below 2⁻¹⁰⁰ (FIPS 186-5, table B.1) in half the time.
struct PrimeSearch {
    private var stream: KeyStream
    private static let exponent: UInt32 = 65_537
    private static let roundCount = 6
    /// The number of steps from one start before the next start is drawn.
    private static let stepCount = 8_192

    init(_ stream: KeyStream) {
        self.stream = stream
    }

    /// A prime of exactly that many bits (a multiple of 8) with the bits of `highest` set in its first byte; 65537 does not
    /// divide the prime minus 1.
    mutating func prime(bitCount: Int, highest: UInt8 = 0xC0) -> NaturalNumber {
        while true {
            var bytes = stream.bytes(bitCount / 8)
            bytes[0] |= highest
            // 3 modulo 4, so that each round needs only one exponentiation.
            bytes[bytes.count - 1] |= 3
            let start = NaturalNumber(bytes)
            let isOut = divisibleSteps(from: start, bitCount: bitCount)
            for step in 0..<Self.stepCount where !isOut[step] {
                let candidate = start + UInt32(4 * step)
                guard candidate.remainder(by: Self.exponent) != 1, candidate.bytes.count == bitCount / 8 else {
                    continue
                }
                if isPrime(candidate) { return candidate }
            }
        }
    }

    /// For each step of 4 from `start`, whether a small prime divides that number.
    ///
    /// The time of an exponentiation grows with the third power of the size, so for large numbers dividing by more
    /// primes saves time.
    private func divisibleSteps(from start: NaturalNumber, bitCount: Int) -> [Bool] {
        let limit = max(1 << 13, bitCount * bitCount * bitCount >> 18)
        var isOut = [Bool](repeating: false, count: Self.stepCount)
        for prime in Self.smallPrimes {
            guard prime < limit else { break }
            // 4 has an inverse modulo every odd prime.
            let quarter = prime % 4 == 3 ? (prime + 1) / 4 : (3 * prime + 1) / 4
            let remainder = Int(start.remainder(by: UInt32(prime)))
            for step in stride(from: (prime - remainder) * quarter % prime, to: isOut.count, by: prime) {
                isOut[step] = true
            }
        }
        return isOut
    }

    /// Miller-Rabin with base 2, then with bases of the stream; `number` is 3 modulo 4.
    private mutating func isPrime(_ number: NaturalNumber) -> Bool {
        let one = NaturalNumber(1)
        let minusOne = number - 1
        for round in 0..<Self.roundCount {
            let base = round == 0 ? NaturalNumber(2) : NaturalNumber([1] + stream.bytes(7))
            let power = base.power(minusOne.half, modulo: number)
            guard power == one || power == minusOne else { return false }
        }
        return true
    }

    /// The odd primes below 2¹⁸, ascending.
    private static let smallPrimes: [Int] = {
        var isComposite = [Bool](repeating: false, count: 1 << 18)
        var primes: [Int] = []
        for number in stride(from: 3, to: isComposite.count, by: 2) where !isComposite[number] {
            primes.append(number)
            for multiple in stride(from: number * number, to: isComposite.count, by: number) {
                isComposite[multiple] = true
            }
        }
        return primes
    }()
}

/// A stream of bytes: SHA-256 over seed, label and a counter.
struct KeyStream {
    private let seed: [UInt8]
    private var counter: UInt64 = 0
    private var block: ArraySlice<UInt8> = []

    /// Reproducible from seed and label; unpredictable with a seed of 32 random bytes.
    init(seed: [UInt8], label: String) {
        self.seed = seed + Array(label.utf8) + [0]
    }

    /// 32 bytes from OpenSSL's random generator; nil if it fails.
    static func randomSeed() -> [UInt8]? {
        _ = OpenSSLStart.once
        var bytes = [UInt8](repeating: 0, count: 32)
        return unsafe RAND_bytes(&bytes, 32) == 1 ? bytes : nil
    }

    /// A random seed, as `randomSeed()` returns it; throws if the generator fails.
    static func seed() throws(AuthorityError) -> [UInt8] {
        if let seed = randomSeed() { return seed }
        throw AuthorityError(.notOffered, "the system's OpenSSL gives no random bytes, so no key can be made")
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            if block.isEmpty {
                block = HashedBytes.sha256(seed + counter.bigEndianBytes.reversed())[...]
                counter &+= 1
            }
            let part = block.prefix(count - result.count)
            result += part
            block = block.dropFirst(part.count)
        }
        return result
    }
}

/// A non-negative number of any size; its memory is overwritten with zeros before it is freed.
@safe final class NaturalNumber {
    private let pointer: OpaquePointer
    private static let outOfMemory = "OpenSSL has no memory for a number"

    /// Makes a number from big-endian bytes.
    init(_ bytes: [UInt8]) {
        _ = OpenSSLStart.once
        guard let made = unsafe BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            preconditionFailure(Self.outOfMemory)
        }
        unsafe pointer = made
    }

    convenience init(_ value: UInt32) { self.init(value.bigEndianBytes) }

    deinit { unsafe BN_clear_free(pointer) }

    /// Big-endian bytes without leading zeros.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(pointer) + 7) / 8)
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe BN_bn2bin(pointer, buffer.baseAddress)
        }
        return bytes
    }

    func remainder(by word: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: unsafe BN_mod_word(pointer, UInt(word))) }

    static func + (left: NaturalNumber, right: UInt32) -> NaturalNumber {
        let sum = NaturalNumber(left.bytes)
        _ = unsafe BN_add_word(sum.pointer, UInt(right))
        return sum
    }

    /// `right` must not be greater than `left`.
    static func - (left: NaturalNumber, right: UInt32) -> NaturalNumber {
        let difference = NaturalNumber(left.bytes)
        _ = unsafe BN_sub_word(difference.pointer, UInt(right))
        return difference
    }

    static func * (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
        unsafe calculate { unsafe BN_mul($0, left.pointer, right.pointer, $1) }
    }

    static func % (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
        unsafe calculate { unsafe BN_div(nil, $0, left.pointer, right.pointer, $1) }
    }

    var half: NaturalNumber { unsafe Self.calculate { result, _ in unsafe BN_rshift1(result, pointer) } }

    func power(_ exponent: NaturalNumber, modulo: NaturalNumber) -> NaturalNumber {
        unsafe Self.calculate { unsafe BN_mod_exp($0, pointer, exponent.pointer, modulo.pointer, $1) }
    }

    /// Zero if there is no inverse.
    func inverse(modulo: NaturalNumber) -> NaturalNumber {
        unsafe Self.calculate { result, context in
            unsafe BN_mod_inverse(result, pointer, modulo.pointer, context) == nil ? 0 : 1
        }
    }

    static func == (left: NaturalNumber, right: NaturalNumber) -> Bool {
        unsafe BN_cmp(left.pointer, right.pointer) == 0
    }
    static func < (left: NaturalNumber, right: NaturalNumber) -> Bool { unsafe BN_cmp(left.pointer, right.pointer) < 0 }

    /// The result is zero after a failed call; OpenSSL refuses zero as part of a key.
    private static func calculate(_ body: (OpaquePointer, OpaquePointer) -> Int32) -> NaturalNumber {
        guard let context = unsafe BN_CTX_new() else { preconditionFailure(outOfMemory) }
        defer { unsafe BN_CTX_free(context) }
        let result = NaturalNumber([])
        return unsafe body(result.pointer, context) == 1 ? result : NaturalNumber([])
    }
}
