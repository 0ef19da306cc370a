import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorTestSupport
import Testing

/// A response that is wrong though every parameter is right: which input was another.
@Suite struct DigestDiagnosisTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bench: DigestBench
        /// The request from which the response is taken; everything else comes from the other one.
        let taken: DigestBench
        let kind: CredentialFault.Kind
        let words: String

        init(
            _ name: String, _ kind: CredentialFault.Kind, says words: String, taken: DigestBench,
            against bench: DigestBench = DigestBench()
        ) {
            self.name = name
            self.bench = bench
            self.taken = taken
            self.kind = kind
            self.words = words
        }

        var testDescription: String { name }
    }

    static let integrity = DigestBench(qualities: [.integrity], quality: .integrity, content: [1, 2])

    /// A session that began with another nonce; this request's nonce came as nextnonce.
    static let goingOn = DigestBench(
        algorithm: .md5Session, sessionNonce: "n0", sessionClientNonce: "first",
        nonce: .known(KnownNonce(sessionNonce: Array("n0".utf8), sessionClientNonce: Array("first".utf8))))

    static let rows: [Row] = [
        Row("method", .wrongMethod, says: "with the method \"POST\"", taken: DigestBench(clientMethod: "POST")),
        Row(
            "method in lower case", .wrongMethod, says: "with the method \"get\"",
            taken: DigestBench(clientMethod: "get")),
        Row("path only", .wrongURI, says: "with the uri \"/a%20b\"", taken: DigestBench(clientTarget: "/a%20b")),
        Row("decoded", .wrongURI, says: "with the uri \"/a b?c=d\"", taken: DigestBench(clientTarget: "/a b?c=d")),
        Row(
            "origin-form of an absolute uri", .wrongURI, says: "with the uri \"/a\"",
            taken: DigestBench(clientTarget: "/a", target: "http://h/a"), against: DigestBench(target: "http://h/a")),
        Row("no realm", .wrongRealm, says: "without a realm", taken: DigestBench(clientRealm: "")),
        Row(
            "realm of another turn", .wrongRealm, says: "with the realm \"second\"",
            taken: DigestBench(clientRealm: "second")),
        Row(
            "quotes of the realm", .wrongRealm, says: "the quotes of the realm",
            taken: DigestBench(clientRealm: "\"lab\"")),
        Row("empty password", .wrongPassword, says: "empty password", taken: DigestBench(password: "")),
        Row(
            "another's password", .wrongPassword, says: "the password of the user \"other\"",
            taken: DigestBench(password: "secret")),
        Row(
            "another account", .wrongPassword, says: "name and password of the user \"other\"",
            taken: DigestBench(user: "other", password: "secret")),
        Row("user in capitals", .wrongResponse, says: "the user in capitals", taken: DigestBench(user: "USER")),
        Row(
            "escapes of the user", .wrongResponse, says: "escapes of username", taken: DigestBench(user: "q\\\"u\\\\"),
            against: DigestBench(user: "q\"u\\")),
        Row(
            "another hash", .wrongAlgorithm, says: "by SHA-256", taken: DigestBench(clientAlgorithm: .sha256),
            against: DigestBench(change: { _ in })),
        Row(
            "a session instead", .wrongAlgorithm, says: "by MD5-sess", taken: DigestBench(clientAlgorithm: .md5Session)),
        Row(
            "no session", .wrongAlgorithm, says: "by MD5, while MD5-sess", taken: DigestBench(clientAlgorithm: .md5),
            against: DigestBench(algorithm: .md5Session)),
        Row(
            "SHA-256 for SHA-512-256", .wrongAlgorithm, says: "by SHA-256",
            taken: DigestBench(clientAlgorithm: .sha256), against: DigestBench(algorithm: .sha512t256)),
        Row("no cnonce", .wrongResponse, says: "without the cnonce", taken: DigestBench(clientNonce: "")),
        Row(
            "cnonce of the first request", .wrongResponse, says: "with the cnonce of the session's first request",
            taken: DigestBench(algorithm: .md5Session, clientNonce: "first", sessionClientNonce: "first"),
            against: DigestBench(
                algorithm: .md5Session, sessionClientNonce: "first",
                nonce: .known(KnownNonce(sessionClientNonce: Array("first".utf8))))),
        Row(
            "nonce of this request in A1", .wrongResponse, says: "with the nonce of this request in A1; nextnonce",
            taken: DigestBench(algorithm: .md5Session, sessionClientNonce: "first"), against: goingOn),
        Row(
            "nonces of this request in A1", .wrongResponse, says: "with nonce and cnonce of this request in A1",
            taken: DigestBench(algorithm: .md5Session), against: goingOn),
        Row(
            "cnonce of this request in A1 behind nextnonce", .changedClientNonce,
            says: "with the cnonce of this request",
            taken: DigestBench(algorithm: .md5Session, sessionNonce: "n0", sessionClientNonce: "client"),
            against: goingOn),
        Row(
            "cnonce of this request in A1", .changedClientNonce, says: "a session keeps the one of its first request",
            taken: DigestBench(algorithm: .md5Session),
            against: DigestBench(
                algorithm: .md5Session, sessionClientNonce: "first",
                nonce: .known(KnownNonce(sessionClientNonce: Array("first".utf8))))),
        Row("RFC 2069", .wrongQop, says: "in the form of RFC 2069", taken: DigestBench(quality: nil)),
        Row(
            "auth for RFC 2069", .wrongQop, says: "as for qop=auth", taken: DigestBench(clientNonce: ""),
            against: DigestBench(qualities: [], quality: nil)),
        Row(
            "auth for auth-int", .wrongQop, says: "as for qop=auth", taken: DigestBench(content: [1, 2]),
            against: integrity),
        Row(
            "empty content", .wrongContentHash, says: "an empty content",
            taken: DigestBench(qualities: [.integrity], quality: .integrity, clientContent: [], content: [1, 2]),
            against: integrity),
        Row("another count", .wrongResponse, says: "with nc \"00000002\"", taken: DigestBench(nonceCount: 2)),
        Row(
            "Latin-1", .wrongCharset, says: "ISO-8859-1",
            taken: DigestBench(
                user: "J\u{E4}s", password: "d\u{F8}r",
                change: { credentials in
                    credentials.set("response", latin1Response)
                }), against: DigestBench(user: "J\u{E4}s", password: "d\u{F8}r")),
        Row(
            "method and password", .wrongMethod, says: "with the method \"POST\", and with an empty password",
            taken: DigestBench(password: "", clientMethod: "POST")),
        Row("anything", .wrongResponse, says: "most likely the password", taken: DigestBench(password: "guess")),
    ]

    /// By hand: A1 of `J\xE4s:lab:d\xF8r`.
    static var latin1Response: String {
        func hash(_ bytes: [UInt8]) -> String {
            var raw: [UInt8] = []
            OpenSSLHasher().appendHash(.md5, of: bytes.span, to: &raw)
            return raw.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let secret = hash("J\u{E4}s:lab:d\u{F8}r".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        let request = hash(Array("GET:/a%20b?c=d".utf8))
        return hash(Array("\(secret):n1:00000001:client:auth:\(request)".utf8))
    }

    @Test(arguments: rows)
    func `the input that differs is found`(_ row: Row) throws {
        let response = Credentials(row.taken.value())["response"]
        let right = Credentials(row.bench.value())["response"]
        var bench = row.bench
        bench.change = { $0.set("response", response) }
        let faults = bench.judgement().faults
        let fault = try #require(faults.first)
        #expect(faults.count == 1)
        #expect(fault.kind == row.kind, "\(fault)")
        #expect(fault.sentence.contains(row.words), "\(fault)")
        #expect(
            fault.sentence.contains("the response is \"\(response ?? "")\"; expected \"\(right ?? "")\""), "\(fault)")
        #expect(!fault.sentence.contains("secret") && !fault.sentence.contains("guess"), "\(fault)")
    }

    @Test func `auth-int can't be judged without the content`() {
        var bench = Self.integrity
        let value = bench.value()
        bench.content = nil
        bench.contentLimit = 1_000
        let faults = bench.judge(value).faults
        #expect(faults.map(\.kind) == [.contentNotKept])
        #expect(faults.first?.sentence.contains("keeps at most 1000 bytes") == true)
        #expect(faults.first?.sentence.contains("could not judge") == true)
    }

    @Test func `auth-int that was not offered is the only fault, whatever was kept`() {
        let bench = DigestBench(quality: .integrity, content: nil)
        #expect(bench.judge(bench.value()).faults.map(\.kind) == [.wrongQop])
    }

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

    @Test func `Digest with a comma behind the scheme is no credential`() {
        let value = DigestBench().value()
        #expect(value.starts(with: "Digest ".utf8))
        let glued = Array("Digest,".utf8) + value.dropFirst(7)
        #expect(DigestBench().judge(glued).faults.map(\.kind) == [.malformedField])
        let parted = Array("Digest , ,".utf8) + value.dropFirst(7)
        #expect(DigestBench().judge(parted).faults == [], "empty elements between parameters are legal")
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
