import ProctorHTTP
import Testing

struct ReaderFuzzTests {
    @Test(arguments: 0..<8)
    func `requests with bytes changed at random are read alike however they are cut`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let corpus = WellFormed.all.map(\.input) + Malformed.all.map(\.input)
        let spice = bytes("\r\n :\t;,%/?#0\u{00}\u{FF}H[")
        for _ in 0..<150 {
            var input = corpus[Int(random.next() % UInt64(corpus.count))]
            for _ in 0...(random.next() % 4) where !input.isEmpty {
                let place = Int(random.next() % UInt64(input.count))
                let byte = spice[Int(random.next() % UInt64(spice.count))]
                switch random.next() % 4 {
                case 0: input[place] = byte
                case 1: input.insert(byte, at: place)
                case 2: input.remove(at: place)
                default: input.removeSubrange(place...)
                }
            }
            let events = Verifier.events(of: input, thenEnds: random.next() % 2 == 0)
            let refusals = events.filter(\.isRefusal)
            #expect(refusals.count <= 1)
            for violation in events.flatMap(\.violations) {
                #expect(0...input.count ~= violation.offset)
            }
        }
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
