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

    /// RFC 1321 §A.5 and the examples of FIPS 180-4.
    @Test(arguments: [
        (HashFunction.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha512t256, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        (.sha512t256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ])
    func `known messages have their known hashes`(_ function: HashFunction, _ message: String, _ hash: String) {
        #expect(Self.hex(function, message) == hash)
        #expect(hash.utf8.count == function.byteCount * 2)
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
