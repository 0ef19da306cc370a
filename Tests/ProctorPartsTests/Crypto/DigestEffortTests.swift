import ProctorBase
import ProctorCrypto
import ProctorHTTP
import Testing

/// A judgement runs on the loop of all connections, so no credential may make it slow.
@Suite struct DigestEffortTests {
    /// Counts what is hashed.
    final class CountingHasher: DigestHasher {
        struct Count: Sendable {
            var hashes = 0
            var bytes = 0
            var long: [HashFunction: Int] = [:]
        }

        private let count = Locked(Count())

        var counted: Count { count.withLock { $0 } }

        func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
            let byteCount = bytes.count
            count.withLock { count in
                count.hashes += 1
                count.bytes += byteCount
                if byteCount >= 100_000 { count.long[function, default: 0] += 1 }
            }
            OpenSSLHasher().appendHash(function, of: bytes, to: &output)
        }
    }

    private func judged(_ bench: DigestBench) -> (DigestJudgement, CountingHasher.Count) {
        var credentials = Credentials(bench.value())
        credentials.set("response", "00000000000000000000000000000000")
        let hasher = CountingHasher()
        return (bench.judge(credentials.bytes, by: hasher), hasher.counted)
    }

    @Test(arguments: DigestAlgorithm.allCases)
    func `a content is hashed once by each function`(_ algorithm: DigestAlgorithm) {
        let content = [UInt8](repeating: 1, count: 200_000)
        let (judgement, count) = judged(
            DigestBench(
                algorithm: algorithm, qualities: [.integrity, .authentication], quality: .integrity, content: content))
        #expect(!judgement.isAdmitted)
        #expect(count.long.values.allSatisfy { $0 == 1 })
        #expect(count.long.count == 3)
        let plain = judged(DigestBench(algorithm: algorithm, content: content))
        #expect(plain.1.long == [algorithm.hash: 1], "as if the client had hashed it for auth-int")
    }

    @Test func `a long content is hashed for the credential alone`() {
        let content = [UInt8](repeating: 1, count: 1 << 20)
        let (judgement, count) = judged(DigestBench(qualities: [.integrity], quality: .integrity, content: content))
        #expect(judgement.faults.map(\.kind) == [.wrongResponse])
        #expect(count.long == [.md5: 1])
        #expect(judged(DigestBench(content: content)).1.long == [:])
    }

    @Test(arguments: [
        DigestBench(), DigestBench(algorithm: .sha256Session),
        DigestBench(target: "/" + String(repeating: "u%20", count: 16_000) + "?q"),
        DigestBench(clientTarget: "/" + String(repeating: "u", count: 16_000)),
        DigestBench(algorithm: .md5Session, clientRealm: String(repeating: "r", count: 64_000)),
        DigestBench(algorithm: .sha512t256Session, clientNonce: String(repeating: "c", count: 64_000)),
    ])
    func `a diagnosis ends, however long the parameters`(_ bench: DigestBench) {
        let (judgement, count) = judged(bench)
        #expect(!judgement.isAdmitted)
        #expect(count.bytes < 1_500_000, "\(count)")
        #expect(count.hashes < 5_000, "\(count)")
    }

    @Test(arguments: [(false, 400), (true, 1_000)])
    func `a hash of a name is looked for in bounded time`(_ isOffered: Bool, _ most: Int) {
        let accounts = (0..<500).map { CredentialAccount(user: "user\($0)", password: "p") }
        let judge = DigestJudge(
            algorithm: .sha256, qualities: [.authentication], opaque: nil, userhash: isOffered,
            realms: (0..<50).map { "realm \($0)" }, accounts: accounts, by: OpenSSLHasher())
        func kinds(_ user: String) -> ([CredentialFault.Kind], Int) {
            let credentials = Credentials(
                Array("Digest username=\"\(user)\", userhash=true, realm=\"realm 0\", uri=\"/\"".utf8))
            let hasher = CountingHasher()
            let judgement = judge.judge(
                DigestCredential(credentials), of: DigestRequest(method: [], target: [], content: []), nonce: .unknown,
                by: hasher)
            return (judgement.faults.map(\.kind), hasher.counted.hashes)
        }
        let unknown = kinds(String(repeating: "0", count: 64))
        #expect(unknown.0.contains(.unknownUser))
        #expect(unknown.1 > 16 && unknown.1 <= most)
        // The last of all is found by its plain name, and by its hash in capitals where that is offered.
        #expect(kinds("user499").0.contains(.wrongUserhash))
        let hash = OpenSSLHasherTests.hex(.sha256, "user499:realm 0").uppercased()
        #expect(kinds(hash).0.contains(isOffered ? .wrongUserhash : .unknownUser))
    }
}
