import ProctorHTTP
import ProctorTestSupport
import Testing

struct ReaderFuzzTests {
    @Test(arguments: 0..<8)
    func `requests with bytes changed at random are read alike however they are cut`(_ seed: UInt64) {
        var inputs = InputMutator(seed: seed, corpus: WellFormed.all.map(\.input) + MalformedRequest.all.map(\.input))
        for _ in 0..<Extent.count(150) {
            let input = inputs.next()
            let events = Verifier<RequestReader>.events(of: input, thenEnds: inputs.flip())
            expectPlaces(events, in: input)
        }
    }

    @Test(arguments: 0..<8)
    func `replies with bytes changed at random are read alike however they are cut`(_ seed: UInt64) {
        var inputs = InputMutator(
            seed: seed, corpus: WellFormedReply.all.map(\.input) + MalformedReply.all.map(\.input))
        for _ in 0..<Extent.count(150) {
            let input = inputs.next()
            let methods = [["GET"], ["HEAD", "GET"], ["CONNECT"], ["POST", "GET", "GET"], []][inputs.number(below: 5)]
            let events = Verifier<ReplyReader>.events(of: input, to: methods, thenEnds: inputs.flip())
            expectPlaces(events, in: input)
            #expect(events.filter { $0 == .end }.count <= methods.count)
        }
    }

    private func expectPlaces<Head: ReadHead>(_ events: [Seen<Head>], in input: [UInt8]) {
        let refusals = events.filter(\.isRefusal)
        #expect(refusals.count <= 1)
        for violation in events.flatMap(\.violations) {
            #expect(0...input.count ~= violation.offset)
        }
    }
}

/// Makes inputs out of a corpus, a few bytes changed in each.
struct InputMutator {
    private var random: SeededGenerator
    private let corpus: [[UInt8]]
    private static let specialBytes = bytes("\r\n :\t;,%/?#0\u{00}\u{FF}H[12")

    init(seed: UInt64, corpus: [[UInt8]]) {
        random = SeededGenerator(seed: seed)
        self.corpus = corpus
    }

    mutating func number(below count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func flip() -> Bool { number(below: 2) == 0 }

    mutating func next() -> [UInt8] {
        var input = corpus[number(below: corpus.count)]
        for _ in 0...number(below: 4) where !input.isEmpty {
            let place = number(below: input.count)
            let byte = Self.specialBytes[number(below: Self.specialBytes.count)]
            switch number(below: 4) {
            case 0: input[place] = byte
            case 1: input.insert(byte, at: place)
            case 2: input.remove(at: place)
            default: input.removeSubrange(place...)
            }
        }
        return input
    }
}
