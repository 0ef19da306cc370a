import ProctorHTTP
import ProctorTestSupport
import Testing

struct ChallengeFuzzTests {
    @Test(arguments: 0..<8)
    func `whatever a server sends, reading ends, and finds a challenge behind it`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scraps = ["Basic", " ", ",", "=", "\"", "\\", "realm", "a/b==", ";", "\u{FF}", "\t", "(", "x=y", "x=\"y\""]
        for _ in 0..<1000 {
            let first = (0...(random.next() % 10)).map { _ in scraps[Int(random.next() % UInt64(scraps.count))] }
                .joined()
            let reader = ChallengeReader([bytes(first), bytes("Last realm=r")])
            #expect(reader.challenges.last?.scheme == "Last")
            #expect(reader.challenges.last?.realm == "r")
            #expect(reader.violations.allSatisfy { $0.line == 0 && $0.offset < first.unicodeScalars.count })
            for challenge in reader.challenges {
                #expect(RequestWriter.isMethod(challenge.scheme.utf8), "a scheme is a token")
                #expect(challenge.token68 == nil || challenge.parameters.isEmpty)
                #expect(Set(challenge.parameters.map { $0.name.lowercased() }).count == challenge.parameters.count)
            }
        }
    }
}

struct AuthenticationInfoTests {
    @Test func `all parts of RFC 7616 are written with their quotes and read again`() {
        let info = AuthenticationInfo(
            nextNonce: bytes("n\"1"), rspauth: bytes("0a"), quality: .integrity, clientNonce: bytes("c"),
            nonceCount: bytes("00000001"))
        #expect(text(info.bytes) == #"nextnonce="n\"1", qop=auth-int, rspauth="0a", cnonce="c", nc=00000001"#)
        let read = AuthenticationInfo([info.bytes])
        #expect(read == info)
        #expect(read.nextNonce == bytes("n\"1"))
        #expect(read.rspauth == bytes("0a"))
        #expect(read.quality == .integrity)
        #expect(read.clientNonce == bytes("c"))
        #expect(read.nonceCount == bytes("00000001"))
    }

    @Test func `Authentication-Info without fields is empty`() {
        #expect(AuthenticationInfo([]).bytes == [])
        #expect(AuthenticationInfo([]).nextNonce == nil)
    }
}
