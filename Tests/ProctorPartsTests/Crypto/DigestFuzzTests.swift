import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorTestSupport
import Testing

/// Tests/Data/readers/auth has what is diagnosed.
@Suite struct DigestFuzzTests {
    @Test(arguments: 0..<4)
    func `no bytes make the judge lose its way`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let value = DigestBench().value()
        for _ in 0..<300 {
            var spoilt = value
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(spoilt.count))
                switch random.next() % 3 {
                case 0: spoilt[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: spoilt.remove(at: place)
                default: spoilt.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            let judgement = DigestBench().judge(spoilt)
            #expect(judgement.faults.allSatisfy { !$0.sentence.isEmpty })
            // Accepted requests are those with a correct response.
            if judgement.isAdmitted {
                #expect(Credentials(spoilt)["response"] == Credentials(value)["response"])
                #expect(judgement.proof != nil)
            }
        }
    }
}
