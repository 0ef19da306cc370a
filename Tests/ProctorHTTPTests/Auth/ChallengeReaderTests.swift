import ProctorHTTP
import ProctorTestSupport
import Testing

struct ChallengeReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String]
        let challenges: [AuthenticationChallenge]
        let violations: [Found]

        struct Found: Sendable, Equatable {
            let kind: AuthenticationViolation.Kind
            let line: Int
            let offset: Int
        }

        init(
            _ fields: String..., gives challenges: [AuthenticationChallenge],
            _ violations: (AuthenticationViolation.Kind, Int, Int)...
        ) {
            self.fields = fields
            self.challenges = challenges
            self.violations = violations.map { Found(kind: $0.0, line: $0.1, offset: $0.2) }
        }

        var testDescription: String { fields.joined(separator: " | ") }
    }

    static func challenge(
        _ scheme: String, _ token: String? = nil, parameters: KeyValuePairs<String, String> = [:], count: Int = 0
    ) -> AuthenticationChallenge {
        AuthenticationChallenge(
            scheme: scheme, token68: token,
            parameters: parameters.map { AuthenticationParameter(name: $0.key, bytes: bytes($0.value)) }
                + (0..<count).map { AuthenticationParameter(name: "name\($0)", bytes: bytes("v")) })
    }

    static func many(_ count: Int) -> String { (0..<count).map { "name\($0)=\"v\"," }.joined() }

    static let wellFormed: [Row] = [
        Row(#"Basic realm="lab""#, gives: [challenge("Basic", nil, parameters: ["realm": "lab"])]),
        Row("Negotiate", gives: [challenge("Negotiate")]),
        Row("Negotiate YII=", gives: [challenge("Negotiate", "YII=")]),
        Row("Negotiate  a-b._~+/==  ", gives: [challenge("Negotiate", "a-b._~+/==")]),
        Row("Basic realm=", gives: [challenge("Basic", "realm=")]),
        Row("Basic lab", gives: [challenge("Basic", "lab")]),
        Row("basic realm=lab", gives: [challenge("basic", nil, parameters: ["realm": "lab"])]),
        Row(
            #"Basic realm = "lab" , charset="UTF-8""#,
            gives: [challenge("Basic", nil, parameters: ["realm": "lab", "charset": "UTF-8"])]),
        Row(#"Basic realm="a \"b\" \\ c""#, gives: [challenge("Basic", nil, parameters: ["realm": #"a "b" \ c"#])]),
        Row(#"Basic realm="a, Digest b=c""#, gives: [challenge("Basic", nil, parameters: ["realm": "a, Digest b=c"])]),
        Row(#"Basic realm="""#, gives: [challenge("Basic", nil, parameters: ["realm": ""])]),
        Row("Basic realm=\"\u{E9}\"", gives: [challenge("Basic", nil, parameters: ["realm": "\u{E9}"])]),
        Row(
            #"Basic realm="a", Digest realm="b", nonce="n", qop="auth, auth-int", Negotiate abc=="#,
            gives: [
                challenge("Basic", nil, parameters: ["realm": "a"]),
                challenge("Digest", nil, parameters: ["realm": "b", "nonce": "n", "qop": "auth, auth-int"]),
                challenge("Negotiate", "abc=="),
            ]),
        Row(
            "Negotiate, Basic realm=a",
            gives: [challenge("Negotiate"), challenge("Basic", nil, parameters: ["realm": "a"])]),
        Row(
            "Negotiate", #"Basic realm="lab""#,
            gives: [challenge("Negotiate"), challenge("Basic", nil, parameters: ["realm": "lab"])]),
        Row(
            #"Unheard a="b", Basic realm="lab""#,
            gives: [
                challenge("Unheard", nil, parameters: ["a": "b"]),
                challenge("Basic", nil, parameters: ["realm": "lab"]),
            ]),
        Row(", ,Basic realm=a,,b=c, ,", gives: [challenge("Basic", nil, parameters: ["realm": "a", "b": "c"])]),
        Row("Digest ,realm=a", gives: [challenge("Digest", nil, parameters: ["realm": "a"])]),
        Row(
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            gives: [
                challenge("Newauth", nil, parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
                challenge("Basic", nil, parameters: ["realm": "simple"]),
            ]),
        Row("", gives: []), Row(" , ", gives: []),
    ]

    static let malformed: [Row] = [
        Row(#"realm="a""#, gives: [], (.parameterWithoutScheme, 0, 0)),
        Row(
            "Basic realm=a", "b=c", gives: [challenge("Basic", nil, parameters: ["realm": "a"])],
            (.parameterWithoutScheme, 1, 0)),
        Row(
            #"Basic realm="a"#, gives: [challenge("Basic", nil, parameters: ["realm": "a"])],
            (.unterminatedString, 0, 12)),
        Row(
            #"Basic realm="a\"#, gives: [challenge("Basic", nil, parameters: ["realm": #"a\"#])],
            (.unterminatedString, 0, 12)),
        Row("Basic realm=, b=c", gives: [challenge("Basic", "realm=")], (.parameterBesideToken, 0, 14)),
        Row("Basic a=b, realm=", gives: [challenge("Basic", nil, parameters: ["a": "b"])], (.missingValue, 0, 11)),
        Row(
            "Basic a=b, realm=,c=d", gives: [challenge("Basic", nil, parameters: ["a": "b", "c": "d"])],
            (.missingValue, 0, 11)),
        Row("Basic a=b, A=c", gives: [challenge("Basic", nil, parameters: ["a": "b"])], (.duplicateParameter, 0, 11)),
        Row("Negotiate abc, a=b", gives: [challenge("Negotiate", "abc")], (.parameterBesideToken, 0, 15)),
        Row(
            #"Basic realm="a" Digest realm="b""#,
            gives: [
                challenge("Basic", nil, parameters: ["realm": "a"]),
                challenge("Digest", nil, parameters: ["realm": "b"]),
            ],
            (.missingComma, 0, 16)),
        Row(
            "Basic a=b c=d", gives: [challenge("Basic", nil, parameters: ["a": "b", "c": "d"])], (.missingComma, 0, 10)),
        Row(
            "Negotiate Basic a=b", gives: [challenge("Negotiate"), challenge("Basic", nil, parameters: ["a": "b"])],
            (.missingComma, 0, 10)),
        Row("<x>, Basic a=b", gives: [challenge("Basic", nil, parameters: ["a": "b"])], (.illegalCharacter, 0, 0)),
        Row(
            #"Basic a=b;"c, d", e=f"#, gives: [challenge("Basic", nil, parameters: ["a": "b", "e": "f"])],
            (.illegalCharacter, 0, 9)
        ),
        Row("Basic a==b", gives: [challenge("Basic")], (.missingValue, 0, 6), (.illegalCharacter, 0, 8)),
        Row(
            "Negotiate abc=d=", gives: [challenge("Negotiate", nil, parameters: ["abc": "d"])],
            (.illegalCharacter, 0, 15)),
        Row(
            "Basic realm=\"a\u{1}\tb\"", gives: [challenge("Basic", nil, parameters: ["realm": "a\u{1}\tb"])],
            (.controlInString, 0, 14)),
        Row("Negotiate\tYII=", gives: [challenge("Negotiate", "YII=")], (.tabBehindScheme, 0, 9)),
        Row(
            "Many " + many(65), gives: [challenge("Many", nil, parameters: [:], count: 64)],
            (.tooManyParameters, 0, 5 + 10 * 10 + 54 * 11)),
        Row("\u{0}", "Basic a=b", gives: [challenge("Basic", nil, parameters: ["a": "b"])], (.illegalCharacter, 0, 0)),
    ]

    @Test(arguments: wellFormed + malformed)
    func `challenges are read as far as they can be`(_ row: Row) {
        let reader = ChallengeReader(row.fields.map { bytes($0) })
        // How a value was quoted is another test's business.
        let plain = reader.challenges.map { challenge in
            AuthenticationChallenge(
                scheme: challenge.scheme, token68: challenge.token68,
                parameters: challenge.parameters.map { AuthenticationParameter(name: $0.name, bytes: $0.bytes) })
        }
        #expect(plain == row.challenges)
        #expect(
            reader.violations.map { Row.Found(kind: $0.kind, line: $0.line, offset: $0.offset) } == row.violations)
    }

    @Test(arguments: AuthenticationViolation.Kind.allCases)
    func `every kind of violation stands in the table and says something`(_ kind: AuthenticationViolation.Kind) {
        guard kind != .strayComma else {
            // Challenges are a list, so it stands in the table of credentials.
            let violations = CredentialsTests.malformed.flatMap { Credentials(bytes($0.value)).violations }
            #expect(violations.first { $0.kind == kind }?.description.contains("no list (§11.4)") == true)
            return
        }
        #expect(Self.malformed.contains { $0.violations.contains { $0.kind == kind } })
        let violation = ChallengeReader(
            Self.malformed.filter { $0.violations.first?.kind == kind }.flatMap(\.fields).map { bytes($0) }
        ).violations.first { $0.kind == kind }
        #expect(violation?.description.contains("RFC 9110 §11") == true)
    }

    @Test func `no cut of a field makes the reader lose its place`() {
        for row in Self.wellFormed + Self.malformed {
            let field = bytes(row.fields[0])
            for end in 0...field.count {
                let reader = ChallengeReader([Array(field[..<end])])
                #expect(reader.violations.allSatisfy { $0.offset < max(end, 1) })
            }
        }
    }

    @Test func `quotes and places of parameters are kept`() {
        let reader = ChallengeReader([bytes(#"Digest realm="a\"b", algorithm=MD5 , qop="""#)])
        #expect(reader.challenges.first?.parameters.map(\.isQuoted) == [true, false, true])
        #expect(reader.challenges.first?.parameters.map(\.offset) == [7, 21, 37])
    }

    @Test(arguments: wellFormed)
    func `what was read is written, and read again`(_ row: Row) {
        let read = ChallengeReader(row.fields.map { bytes($0) }).challenges
        let inLines = ChallengeReader(read.map(\.bytes))
        #expect(inLines.challenges == read)
        #expect(inLines.violations.isEmpty)
        let inOne = ChallengeReader([AuthenticationChallenge.oneLine(read)])
        #expect(inOne.challenges == read)
        #expect(inOne.violations.isEmpty)
    }

    @Test func `a challenge is asked in any case`() {
        let challenge = Self.challenge("bASIC", nil, parameters: ["Realm": "a"])
        #expect(challenge.isScheme("Basic"))
        #expect(challenge.realm == "a")
        #expect(challenge["REALM"] == "a")
        #expect(challenge["nonce"] == nil)
    }
}

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
    func `an unreadable part is reported`(_ value: String, _ kind: AuthenticationViolation.Kind, _ offset: Int) {
        let violations = AuthenticationInfo([bytes(value)]).violations
        #expect(violations.map(\.kind) == [kind])
        #expect(violations.map(\.offset) == [offset])
        #expect(violations.first?.section == "RFC 9110 §11.6.3")
    }

    @Test func `Authentication-Info without fields is empty`() {
        #expect(AuthenticationInfo([]).bytes == [])
        #expect(AuthenticationInfo([]).nextNonce == nil)
    }
}
