import ProctorBase
import ProctorCrypto
import ProctorHTTP
import Testing

/// The examples of the RFCs, both ways: our client writes them, our judge accepts them.
@Suite struct DigestVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let challenge: String
        let user: String
        let password: String
        let method: String
        let target: String
        let quality: QualityOfProtection?
        let clientNonce: String
        let response: String
        var userhash: String?

        var testDescription: String { name }
    }

    static let nonce2617 = "dcd98b7102dd2f0e8b11d0f600bfb0c093"
    static let nonce7616 = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"

    static func challenge7616(_ algorithm: String) -> String {
        "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), nonce=\"\(nonce7616)\", "
            + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
    }

    static let vectors: [Vector] = [
        Vector(
            name: "RFC 2617 §3.5",
            challenge: "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\", nonce=\"\(nonce2617)\", "
                + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"", user: "Mufasa", password: "Circle Of Life",
            method: "GET", target: "/dir/index.html", quality: .authentication, clientNonce: "0a4f113b",
            response: "6629fae49393a05397450978507c4ef1"),
        // The response that RFC 2069 prints is wrong by its own rules (see its errata); this one obeys them.
        Vector(
            name: "RFC 2069 §2.4",
            challenge: "Digest realm=\"testrealm@host.com\", nonce=\"\(nonce2617)\", "
                + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"", user: "Mufasa", password: "CircleOfLife",
            method: "GET", target: "/dir/index.html", quality: nil, clientNonce: "",
            response: "1949323746fe6a43ef61f9606e7febea"),
        Vector(
            name: "RFC 7616 §3.9.1, MD5", challenge: challenge7616("MD5"), user: "Mufasa", password: "Circle of Life",
            method: "GET", target: "/dir/index.html", quality: .authentication,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", response: "8ca523f5e9506fed4657c9700eebdbec"),
        Vector(
            name: "RFC 7616 §3.9.1, SHA-256", challenge: challenge7616("SHA-256"), user: "Mufasa",
            password: "Circle of Life", method: "GET", target: "/dir/index.html", quality: .authentication,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        // The hashes that the RFC prints here are of another function: see the test of its erratum 4897.
        Vector(
            name: "RFC 7616 §3.9.2, as erratum 4897 mends it",
            challenge: "Digest realm=\"api@example.org\", qop=\"auth\", algorithm=SHA-512-256, "
                + "nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", "
                + "opaque=\"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS\", charset=UTF-8, userhash=true",
            user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", method: "GET", target: "/doe.json",
            quality: .authentication, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
            response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
            userhash: "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"),
    ]

    @Test(arguments: vectors)
    func `the client writes the example and the judge admits it`(_ vector: Vector) throws {
        let hasher = OpenSSLHasher()
        let offered = try #require(ChallengeReader([Array(vector.challenge.utf8)]).challenges.first)
        let challenge = try #require(DigestChallenge(offered))
        let answer = DigestAnswer(
            to: challenge, user: vector.user, password: vector.password, method: vector.method,
            target: Array(vector.target.utf8), quality: vector.quality, nonceCount: 1, clientNonce: vector.clientNonce)
        let read = Credentials(answer.fieldValue(by: hasher))
        #expect(read.violations.isEmpty)
        #expect(read["response"] == vector.response)
        #expect(read["username"] == vector.userhash ?? vector.user)
        #expect(read["nc"] == (vector.quality == nil ? nil : "00000001"))
        let judge = DigestJudge(
            algorithm: challenge.algorithmName == nil ? nil : challenge.algorithm, qualities: challenge.qualities,
            opaque: challenge.opaque, userhash: challenge.wantsUserhash, realms: [offered.realm ?? ""],
            accounts: [CredentialAccount(user: vector.user, password: vector.password)], by: hasher)
        let judgement = judge.judge(
            DigestCredential(read),
            of: DigestRequest(method: Array(vector.method.utf8), target: Array(vector.target.utf8), content: nil),
            nonce: .known(KnownNonce()), by: hasher)
        #expect(judgement.faults == [])
        #expect(judgement.remarks == [])
        #expect(judgement.user == vector.user)
        let proof = try #require(judgement.proof)
        let info = AuthenticationInfo([proof.info(content: [1, 2], by: hasher).bytes])
        #expect(info.rspauth == answer.responseAuthentication(content: [1, 2], by: hasher))
        #expect(info.clientNonce == (vector.quality == nil ? nil : Array(vector.clientNonce.utf8)))
        #expect(info.violations.isEmpty)
    }

    /// RFC 7616 prints what SHA-512 cut to 256 bits gives; SHA-512/256 has initial values of its own.
    @Test func `the printed hashes of §3.9.2 are SHA-512 cut short`() async throws {
        let program = """
            import hashlib
            h = lambda t: hashlib.sha512(t.encode()).hexdigest()[:64]
            user, realm = "J\\u00e4s\\u00f8n Doe", "api@example.org"
            a1, a2 = h(user + ":" + realm + ":Secret, or not?"), h("GET:/doe.json")
            nonce, cnonce = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
            print(h(user + ":" + realm), h(":".join([a1, nonce, "00000001", cnonce, "auth", a2])), end="")
            """
        let printed = try await PythonHashes.run(program, "")
        #expect(
            printed == "488869477bf257147b804c45308cd62ac4e25eb717b12b298c79e62dcea254ec "
                + "ae66e67d6b427bd3f120414a82e4acff38e8ecd9101d6c861229025f607a79dd")
        let right = try #require(Self.vectors.last)
        #expect(!printed.contains(right.response))
    }

    @Test func `RFC 2617 §3.5 has this secret`() {
        let secret = DigestSecret(
            user: "Mufasa".utf8, realm: "testrealm@host.com".utf8, password: "Circle Of Life".utf8, function: .md5,
            by: OpenSSLHasher())
        #expect(secret.digits.elementsEqual("939e7578ed9e3c518a452acee763bce9".utf8))
        #expect(!"\(secret)".contains("939e"))
    }
}
