internal import COpenSSL

/// An endless stream of bytes from a seed: SHA-256 over seed, label and a counter.
struct KeyStream {
    private let seed: [UInt8]
    private var counter: UInt64 = 0
    private var block: ArraySlice<UInt8> = []

    /// The same seed and label give the same stream; a seed of 32 random bytes gives one that nobody can foretell.
    init(seed: [UInt8], label: String) {
        self.seed = seed + Array(label.utf8) + [0]
    }

    /// 32 bytes of OpenSSL's own generator.
    static func randomSeed() -> [UInt8]? {
        _ = OpenSSLStart.once
        var bytes = [UInt8](repeating: 0, count: 32)
        return unsafe RAND_bytes(&bytes, 32) == 1 ? bytes : nil
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            if block.isEmpty {
                let number = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
                block = HashedBytes.sha256(seed + number)[...]
                counter &+= 1
            }
            let part = block.prefix(count - result.count)
            result += part
            block = block.dropFirst(part.count)
        }
        return result
    }
}
