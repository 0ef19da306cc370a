import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorTestSupport
import Testing

@Suite struct OpenSSLHasherTests {
    static func hex(_ function: HashFunction, _ text: String) -> String {
        var hash: [UInt8] = []
        OpenSSLHasher().appendHash(function, of: Array(text.utf8).span, to: &hash)
        return hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test func `this system has every function`() throws { try OpenSSLHasher().check() }

    @Test func `a hash is appended to what is there`() {
        var output: [UInt8] = [1, 2]
        OpenSSLHasher().appendHash(.md5, of: [UInt8]().span, to: &output)
        #expect(output.prefix(3) == [1, 2, 0xD4])
        #expect(output.count == 18)
    }

    @Test func `threads don't disturb each other`() async throws {
        let expected = Self.hex(.sha256, "abc")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread { (0..<2_000).allSatisfy { _ in Self.hex(.sha256, "abc") == expected } }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    /// OpenSSL reads its configuration from the environment; without the default provider there is no MD5.
    @Test func `a refusal says what is missing and what to do`() {
        let refusal = HashRefusal(function: .md5, reason: "error:0308010C:digital envelope routines::unsupported")
        #expect(refusal.description.contains("MD5"))
        #expect(refusal.description.contains("offer SHA-256"))
        #expect(refusal.description.contains("unsupported"))
    }
}

/// Programs for the system's python, whose hashlib computes Digest a second time.
enum PythonHashes {
    static func run(_ program: String, _ input: String) async throws -> String {
        let outcome = try await ChildProcess.run(
            ["/usr/bin/python3", "-E", "-s", "-B", "-c", program], input: Array(input.utf8))
        try #require(outcome.status == 0, "\(outcome.err)")
        return outcome.out
    }

    /// Lines of `algorithm qop user realm password method uri nonce nc cnonce content`, text in hexadecimal digits.
    ///
    /// Gives lines of `response userhash rspauth`. Written from RFC 7616 alone.
    static let digest = """
        import hashlib, sys
        names = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
        reply = b"the content of the reply"
        for line in sys.stdin:
            algorithm, qop, *rest = line.rstrip("\\n").split(" ")
            user, realm, password, method, uri, nonce, nc, cnonce, content = map(bytes.fromhex, rest)
            def h(*parts):
                return hashlib.new(names[algorithm.replace("-sess", "")], b":".join(parts)).hexdigest().encode()
            a1 = h(user, realm, password)
            if algorithm.endswith("-sess"): a1 = h(a1, nonce, cnonce)
            def respond(method, content):
                a2 = h(method, uri, h(content)) if qop == "auth-int" else h(method, uri)
                return h(a1, nonce, a2) if qop == "none" else h(a1, nonce, nc, cnonce, qop.encode(), a2)
            print(respond(method, content).decode(), h(user, realm).decode(), respond(b"", reply).decode())
        """
}

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
