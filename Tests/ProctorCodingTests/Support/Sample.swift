import ProctorTestSupport

/// Contents that the codings are tried on.
enum Sample {
    /// Short enough to be cut at every byte.
    static let text = Array("the quick brown fox jumps over the lazy dog; the lazy dog jumps over the fox\n".utf8)

    /// Runs, text and noise, more than three blocks of the encoder and no multiple of one.
    static let mixture: [UInt8] = {
        var generator = SeededGenerator(seed: 6)
        var bytes = [UInt8](repeating: 0x41, count: 70_001)
        while bytes.count < 140_000 { bytes += text }
        for _ in 0..<9_000 {
            let word = generator.next()
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(place)))) }
        }
        return bytes
    }()

    static let all: [[UInt8]] = [[], [0], text, mixture]
}
