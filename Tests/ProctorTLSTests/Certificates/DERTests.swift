import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Writing and reading DER.
struct DERTests {
    @Test(arguments: [
        (DER.integer(0), "020100"), (DER.integer(127), "02017f"), (DER.integer(128), "02020080"),
        (DER.integer([0, 0, 0x80]), "02020080"), (DER.oid("1.2.840.113549.1.1.11"), "06092a864886f70d01010b"),
        (DER.oid("2.5.29.17"), "0603551d11"), (DER.namedBits([0, 5]), "03020284"), (DER.namedBits([]), "030100"),
        (DER.namedBits([8]), "0303070080"), (DER.boolean(true), "0101ff"), (DER.sequence(), "3000"),
        (DER.bits([0xAB]), "030200ab"), (DER.primitive(2, [1]), "820101"), (DER.context(3, [5, 0]), "a3020500"),
    ])
    func `an element has one encoding`(element: [UInt8], digits: String) {
        #expect(hexadecimal(element) == digits)
    }

    @Test(arguments: [(127, "047f"), (128, "048180"), (255, "0481ff"), (256, "04820100"), (65_536, "0483010000")])
    func `a length takes as many bytes as it needs`(count: Int, head: String) {
        let element = DER.octets([UInt8](repeating: 0, count: count))
        #expect(hexadecimal(Array(element.prefix(element.count - count))) == head)
    }

    /// As `date -u` says them.
    @Test(
        arguments: [
            (0, "700101000000Z"), (951_782_400, "000229000000Z"), (1_709_210_096, "240229123456Z"),
            (2_524_607_999, "491231235959Z"), (2_524_608_000, "20500101000000Z"), (4_107_542_400, "21000301000000Z"),
            (-1, "691231235959Z"), (-631_152_001, "19491231235959Z"),
        ] as [(Int64, String)])
    func `a time is UTCTime up to 2049 and GeneralizedTime beyond`(seconds: Int64, text: String) {
        let element = DER.time(seconds)
        #expect(String(decoding: element.dropFirst(2), as: UTF8.self) == text)
        #expect(element[0] == (text.utf8.count == 13 ? 0x17 : 0x18))
    }

    @Test(arguments: [0, 1, 127, 128, 300, 70_000])
    func `what was written is read again, and nothing that is cut`(count: Int) {
        let bytes = DER.octets([UInt8](repeating: 7, count: count))
        var reader = DERReader(bytes[...])
        let element = reader.next()
        #expect(element?.tag == 0x04 && element?.content.count == count && reader.isAtEnd)
        for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) {
            var cut = DERReader(bytes[..<end])
            #expect(cut.next() == nil)
        }
        var trailing = DERReader((bytes + [5, 0])[...])
        #expect(trailing.next()?.content.count == count)
        #expect(!trailing.isAtEnd && trailing.next()?.tag == 5 && trailing.isAtEnd)
    }

    @Test(
        arguments: [[0x04, 0x80], [0x04, 0x84, 0, 0, 0, 0], [0x04, 0xFF], [0x1F, 0x01, 0x00], [0x04], []] as [[UInt8]])
    func `lengths without end and tags of several bytes are no elements`(bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        #expect(reader.next() == nil)
    }

    @Test func `an element with another tag stays where it is`() {
        var reader = DERReader(DER.null[...])
        #expect(reader.readElement(0x30) == nil && !reader.isAtEnd && reader.readElement(0x05) == [])
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

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
