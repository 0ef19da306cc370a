import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorTestSupport
import Testing

/// What `Tests/Data/readers/auth/digest-diagnosis.md` can't say.
@Suite struct DigestDiagnosisTests {
    /// A session that began with another nonce; this request's nonce came as nextnonce.
    static let goingOn = DigestBench(
        algorithm: .md5Session, sessionNonce: "n0", sessionClientNonce: "first",
        nonce: .known(KnownNonce(sessionNonce: Array("n0".utf8), sessionClientNonce: Array("first".utf8))))

    /// By hand: A1 keeps the nonces of the challenge (RFC 7616 §3.4.2).
    @Test func `a session goes on behind nextnonce with the nonces it began with`() {
        let user = OpenSSLHasherTests.hex(.md5, "user:lab:0pen-up")
        let secret = OpenSSLHasherTests.hex(.md5, "\(user):n0:first")
        let request = OpenSSLHasherTests.hex(.md5, "GET:/a%20b?c=d")
        let response = OpenSSLHasherTests.hex(.md5, "\(secret):n1:00000001:client:auth:\(request)")
        #expect(Credentials(Self.goingOn.value())["response"] == response)
        let judgement = Self.goingOn.judgement()
        #expect(judgement.faults == [])
        let reply = OpenSSLHasherTests.hex(.md5, ":/a%20b?c=d")
        let proof = OpenSSLHasherTests.hex(.md5, "\(secret):n1:00000001:client:auth:\(reply)")
        #expect(judgement.proof?.responseAuthentication(content: [], by: OpenSSLHasher()) == Array(proof.utf8))
    }

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

/// What our client writes, our judge admits.
@Suite struct DigestAnswerTests {
    @Test(arguments: [
        DigestBench(), DigestBench(qualities: [], quality: nil), DigestBench(userhash: true),
        DigestBench(user: "J\u{E4}s", password: "d\u{F8}r"), DigestBench(algorithm: nil), DigestBench(opaque: nil),
        DigestBench(user: "q\"u\\"), DigestBench(qualities: [.integrity, .authentication]),
        DigestBench(qualities: [.integrity], quality: .integrity, content: [1, 2, 3]),
        DigestBench(
            algorithm: .sha256Session, sessionClientNonce: "first",
            nonce: .known(KnownNonce(sessionClientNonce: Array("first".utf8)))),
        DigestBench(nonceCount: .max),
    ])
    func `an answer is admitted without a remark`(_ bench: DigestBench) {
        let judgement = bench.judgement()
        #expect(judgement.faults == [])
        #expect(judgement.remarks == [])
        #expect(judgement.accountIndex != nil)
        #expect(judgement.proof != nil)
    }
}
