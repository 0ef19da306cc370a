import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Keys from a stream, judged by OpenSSL's own program.
struct KeyMakerTests {
    /// 8192 bits take a judge half a minute; ``VerdictTests`` uses such a key.
    private static let kinds = CertificateProfile.KeyKind.allCases.filter { $0 != .rsa8192 && $0 != .rsa4096 }

    @Test(arguments: kinds)
    func `a key is sound, and the same for the same seed alone`(kind: CertificateProfile.KeyKind) async throws {
        let made = try await onThread {
            try [("a", 1), ("a", 1), ("a", 2), ("b", 1)].map { label, seed in
                try KeyGenerator.key(kind, from: KeyStream(seed: [UInt8(seed)], label: label)).der
            }
        }
        #expect(made[0] == made[1] && made[0] != made[2] && made[0] != made[3] && made[2] != made[3])
        let input = Array(PEMText.text("PRIVATE KEY", made[0]).utf8)
        let words = [Ours.openssl, "pkey", "-check", "-pubcheck", "-noout", "-text"]
        let outcome = try await ChildProcess.run(words, input: input)
        #expect(outcome.status == 0 && outcome.out.contains("Key is valid"), "\(outcome.err)")
        let bits = kind.rawValue.filter(\.isNumber)
        #expect(kind == .ed25519 || outcome.out.contains("(\(bits) bit"), "\(outcome.out.prefix(80))")
    }

    @Test func `a stream gives the same bytes however they are taken`() {
        var whole = KeyStream(seed: [1, 2, 3], label: "x")
        var pieces = KeyStream(seed: [1, 2, 3], label: "x")
        let bytes = whole.bytes(200)
        #expect((0..<200).flatMap { _ in pieces.bytes(1) } == bytes)
        #expect(Set(bytes).count > 100)
    }

    @Test func `what is no key is refused with OpenSSL's words`() throws {
        for bytes in [[], [0x30], [0x30, 0x00], [UInt8](repeating: 0xFF, count: 100)] as [[UInt8]] {
            #expect(throws: (any Error).self) { try PrivateKey(der: bytes) }
        }
        let key = try KeyGenerator.key(.ecc256, from: KeyStream(seed: [1], label: "k")).der
        for end in 0..<key.count { #expect(throws: (any Error).self) { try PrivateKey(der: Array(key[..<end])) } }
    }
}
