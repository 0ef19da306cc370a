import ProctorBase
import ProctorCrypto
import ProctorHTTP
import Testing

/// What the examples of the RFCs are made of; Tests/Data/readers/auth/digest-answers.md has them.
@Suite struct DigestVectorTests {
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
    }

    @Test func `RFC 2617 §3.5 has this secret`() {
        let secret = DigestSecret(
            user: "Mufasa".utf8, realm: "testrealm@host.com".utf8, password: "Circle Of Life".utf8, function: .md5,
            by: OpenSSLHasher())
        #expect(secret.digits.elementsEqual("939e7578ed9e3c518a452acee763bce9".utf8))
        #expect(!"\(secret)".contains("939e"))
    }
}
