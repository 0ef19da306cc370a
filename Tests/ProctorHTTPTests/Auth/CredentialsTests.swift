import ProctorHTTP
import Testing

struct CredentialsTests {
    @Test func `what no quoted string can hold becomes a space, and what is no token is quoted`() {
        let parameters = [
            AuthenticationParameter(name: "a", bytes: bytes("b\r\n\u{0}\tc\"\\"), isQuoted: true),
            AuthenticationParameter(name: "d", bytes: bytes("e f"), isQuoted: false),
            AuthenticationParameter(name: "g", bytes: [], isQuoted: false),
            AuthenticationParameter(name: "h", bytes: bytes("MD5"), isQuoted: false),
        ]
        let written = Credentials(scheme: "X", parameters: parameters).bytes
        #expect(text(written) == "X a=\"b   \tc\\\"\\\\\", d=\"e f\", g=\"\", h=MD5")
        #expect(Credentials(written).violations.isEmpty)
    }

    @Test func `schemes and names are asked in any case`() {
        #expect(Credentials(bytes("bASIC x"))["a"] == nil)
        #expect(Credentials(bytes("bASIC x")).isScheme("Basic"))
        #expect(Credentials(bytes("Digest Realm=x"))["rEALM"] == "x")
        let challenge = AuthenticationChallenge(
            scheme: "bASIC", parameters: [AuthenticationParameter(name: "Realm", bytes: bytes("a"))])
        #expect(challenge.isScheme("Basic"))
        #expect(challenge.realm == "a")
        #expect(challenge["REALM"] == "a")
        #expect(challenge["nonce"] == nil)
    }

    @Test func `a long credential is read in bounded time and with a bounded number of parameters`() {
        let long = bytes("Digest " + (0..<20_000).map { "p\($0)=v" }.joined(separator: ","))
        let read = Credentials(long)
        #expect(read.parameters.count == 64)
        #expect(read.violations.allSatisfy { $0.kind == .tooManyParameters })
        #expect(read.violations.first?.sentence.contains("at most 64") == true)
    }
}
