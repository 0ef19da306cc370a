import ProctorCrypto
import ProctorHTTP
import Testing

/// OpenSSL in FIPS mode has no MD5: nothing is appended then, and nothing may equal it.
@Suite struct DigestRefusedHashTests {
    struct WithoutMD5: DigestHasher {
        func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
            if function != .md5 { OpenSSLHasher().appendHash(function, of: bytes, to: &output) }
        }
    }

    static let benches = [
        DigestBench(), DigestBench(algorithm: .md5Session), DigestBench(algorithm: nil),
        DigestBench(qualities: [.integrity], quality: .integrity, content: [1, 2]),
        DigestBench(qualities: [], quality: nil),
        DigestBench(
            userhash: true,
            change: { credentials in
                credentials.set("userhash", nil)
                credentials.set("username", "user")
            }),
    ]

    @Test(arguments: benches, ["", "d41d8cd98f00b204e9800998ecf8427e"])
    func `no response passes where its hash can't be computed`(_ bench: DigestBench, _ response: String) {
        var credentials = Credentials(bench.value())
        credentials.set("response", response)
        let judgement = bench.judge(credentials.bytes, by: WithoutMD5())
        #expect(judgement.faults.map(\.kind) == [.hashRefused])
        #expect(judgement.faults.first?.sentence.contains("does not compute MD5") == true)
        #expect(judgement.proof == nil)
    }

    @Test func `a right response is not judged either`() {
        let judgement = DigestBench().judge(DigestBench().value(), by: WithoutMD5())
        #expect(judgement.faults.map(\.kind) == [.hashRefused])
    }

    @Test func `an empty response is not explained by a hash that can't be computed`() {
        var bench = DigestBench(algorithm: .sha256)
        #expect(bench.judge(bench.value(), by: WithoutMD5()).faults == [])
        bench.change = { $0.set("response", "") }
        #expect(bench.judge(bench.value(), by: WithoutMD5()).faults.map(\.kind) == [.malformedResponse])
    }

    @Test func `a hasher says what it computes`() {
        #expect(HashFunction.allCases.map { WithoutMD5().computes($0) } == [false, true, true])
        #expect(HashFunction.allCases.allSatisfy { OpenSSLHasher().computes($0) })
    }
}
