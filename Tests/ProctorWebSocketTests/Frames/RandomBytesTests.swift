import ProctorBase
import ProctorWebSocket
import Testing

/// Frames of the chapters with bytes changed at random, always the same ones.
@Suite struct RandomBytesTests {
    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    @Test(arguments: WebSocketRole.allCases) func `no bytes trap, and pieces make what the whole makes`(
        _ role: WebSocketRole
    ) {
        var generator = Generator(state: role == .server ? 1 : 2)
        let rows = ChapterTests.rows.filter { $0.frames.count < 20 && $0.frames.allSatisfy { $0.payload.count < 200 } }
        for _ in 0..<1_500 {
            var bytes: [UInt8] = []
            for _ in 0..<3 {
                for frame in rows.randomElement(using: &generator)?.frames(to: role) ?? [] { bytes += frame.bytes }
            }
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let verifier = Verifier(
                role: role, limits: LimitRows.small,
                compression: Bool.random(using: &generator) ? DeflateDirection() : nil)
            let whole = verifier.read([bytes])
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            #expect(verifier.read([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "\(bytes) at \(cut)")
            for violation in whole.events.violations {
                #expect(0...bytes.count ~= violation.offset)
                #expect(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            }
        }
    }
}
