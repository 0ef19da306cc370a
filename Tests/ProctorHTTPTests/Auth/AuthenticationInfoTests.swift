import ProctorHTTP
import Testing

struct AuthenticationInfoTests {
    @Test func `all parts of RFC 7616 are written with their quotes and read again`() {
        let info = AuthenticationInfo(
            nextNonce: bytes("n\"1"), rspauth: bytes("0a"), quality: .integrity, clientNonce: bytes("c"),
            nonceCount: bytes("00000001"))
        #expect(
            text(info.bytes) == #"nextnonce="n\"1", qop=auth-int, rspauth="0a", cnonce="c", nc=00000001"#)
        let read = AuthenticationInfo([info.bytes])
        #expect(read == info)
        #expect(read.nextNonce == bytes("n\"1"))
        #expect(read.rspauth == bytes("0a"))
        #expect(read.quality == .integrity)
        #expect(read.clientNonce == bytes("c"))
        #expect(read.nonceCount == bytes("00000001"))
    }

    @Test func `several fields are one list`() {
        let read = AuthenticationInfo([bytes("nextnonce=\"a\""), bytes(", qop=AUTH,, x=y")])
        #expect(read.nextNonce == bytes("a"))
        #expect(read.quality == .authentication)
        #expect(read.violations.isEmpty)
        #expect(read.rspauth == nil)
    }

    @Test(arguments: [
        ("rspauth", AuthenticationViolation.Kind.missingValue, 0), ("rspauth=", .missingValue, 0),
        ("rspauth=\"a", .unterminatedString, 8), ("qop=auth nc=1", .missingComma, 9),
        ("qop=auth, QOP=auth", .duplicateParameter, 10), ("=", .illegalCharacter, 0),
    ])
    func `what can't be read is told`(_ value: String, _ kind: AuthenticationViolation.Kind, _ offset: Int) {
        let violations = AuthenticationInfo([bytes(value)]).violations
        #expect(violations.map(\.kind) == [kind])
        #expect(violations.map(\.offset) == [offset])
        #expect(violations.first?.section == "RFC 9110 §11.6.3")
    }

    @Test func `nothing is nothing`() {
        #expect(AuthenticationInfo([]).bytes == [])
        #expect(AuthenticationInfo([]).nextNonce == nil)
    }
}
