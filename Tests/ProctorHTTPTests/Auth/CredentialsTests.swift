import ProctorHTTP
import Testing

struct CredentialsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let value: String
        let scheme: String
        let token68: String?
        /// `name=value`, with quotes around the value if it was quoted.
        let parameters: [String]
        let violations: [Found]

        struct Found: Sendable, Equatable {
            let kind: AuthenticationViolation.Kind
            let offset: Int
        }

        init(
            _ value: String, _ scheme: String, token68: String? = nil, parameters: [String] = [],
            violations: (AuthenticationViolation.Kind, Int)...
        ) {
            self.value = value
            self.scheme = scheme
            self.token68 = token68
            self.parameters = parameters
            self.violations = violations.map { Found(kind: $0.0, offset: $0.1) }
        }

        var testDescription: String { value }
    }

    static let wellFormed: [Row] = [
        Row("Negotiate", "Negotiate"),
        Row("Negotiate a==", "Negotiate", token68: "a=="),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic", token68: "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        Row("Bearer   a-b._~+/9=  ", "Bearer", token68: "a-b._~+/9="),
        Row("  Basic abc", "Basic", token68: "abc"),
        Row("Basic a=b", "Basic", token68: nil, parameters: ["a=b"]),
        Row("Basic a=", "Basic", token68: "a="),
        Row("Digest a=\"\"", "Digest", token68: nil, parameters: ["a=\"\""]),
        Row("Digest a=\"b\\\"c\\\\\\d\", e=f", "Digest", token68: nil, parameters: ["a=\"b\"c\\d\"", "e=f"]),
        Row("Digest a=b,c=d", "Digest", token68: nil, parameters: ["a=b", "c=d"]),
        Row("Digest ,, a=b , ,c=\"d\",", "Digest", token68: nil, parameters: ["a=b", "c=\"d\""]),
        Row("Digest , a=b ,,", "Digest", token68: nil, parameters: ["a=b"]),
        Row("Digest a = b\t,\tc\t=\t\"d\te\"", "Digest", token68: nil, parameters: ["a=b", "c=\"d\te\""]),
        Row("Digest a=\"\u{E9}\u{FF}\"", "Digest", token68: nil, parameters: ["a=\"\u{E9}\u{FF}\""]),
        Row("Digest a=\"x, y=z\"", "Digest", token68: nil, parameters: ["a=\"x, y=z\""]),
        Row("Digest username*=UTF-8''J%C3%A4s", "Digest", token68: nil, parameters: ["username*=UTF-8''J%C3%A4s"]),
    ]

    static let malformed: [Row] = [
        Row("=", "", token68: nil, parameters: [], violations: (.illegalCharacter, 0)),
        Row("\u{0}Basic a", "", token68: nil, parameters: [], violations: (.illegalCharacter, 0)),
        Row(
            "Basic abc def", "Basic", token68: nil, parameters: [], violations: (.missingValue, 6), (.missingValue, 10)),
        Row("Basic abc, d=e", "Basic", token68: "abc", parameters: [], violations: (.parameterBesideToken, 11)),
        Row("Basic a*b", "Basic", token68: nil, parameters: [], violations: (.missingValue, 6)),
        Row(
            "Digest a=b, Basic c=d", "Digest", token68: nil, parameters: ["a=b", "c=d"],
            violations: (.missingValue, 12), (.missingComma, 18)),
        Row("Digest a=b c=d", "Digest", token68: nil, parameters: ["a=b", "c=d"], violations: (.missingComma, 11)),
        Row("Digest a=b, A=\"c\"", "Digest", token68: nil, parameters: ["a=b"], violations: (.duplicateParameter, 12)),
        Row("Digest a=\"b", "Digest", token68: nil, parameters: ["a=\"b\""], violations: (.unterminatedString, 9)),
        Row("Digest a=, b=c", "Digest", token68: "a=", parameters: [], violations: (.parameterBesideToken, 11)),
        Row(
            "Digest x=y, a=, b=c", "Digest", token68: nil, parameters: ["x=y", "b=c"], violations: (.missingValue, 12)),
        Row("a=b", "", token68: nil, parameters: [], violations: (.parameterWithoutScheme, 0)),
        Row("Digest\ta=b", "Digest", token68: nil, parameters: ["a=b"], violations: (.tabBehindScheme, 6)),
        Row(
            "Digest a=\"\u{7F}\"", "Digest", token68: nil, parameters: ["a=\"\u{7F}\""],
            violations: (.controlInString, 10)),
        Row(",", "", token68: nil, parameters: [], violations: (.strayComma, 0)),
        Row(", Bearer TOK", "Bearer", token68: "TOK", parameters: [], violations: (.strayComma, 0)),
        Row("Bearer TOK,", "Bearer", token68: "TOK", parameters: [], violations: (.strayComma, 10)),
        Row(
            "Bearer TOK , ,", "Bearer", token68: "TOK", parameters: [], violations: (.strayComma, 11), (.strayComma, 13)
        ),
        Row(
            ", ,Digest a=b", "Digest", token68: nil, parameters: ["a=b"], violations: (.strayComma, 0), (.strayComma, 2)
        ),
        Row("Digest,a=b", "Digest", token68: nil, parameters: ["a=b"], violations: (.strayComma, 6)),
        Row("Digest,", "Digest", token68: nil, parameters: [], violations: (.strayComma, 6)),
        Row(
            "Digest uri=/a", "Digest", token68: nil, parameters: [], violations: (.missingValue, 7),
            (.illegalCharacter, 11)),
    ]

    @Test(arguments: wellFormed + malformed)
    func `a credential is read as far as it can be`(_ row: Row) {
        let read = Credentials(bytes(row.value))
        #expect(read.scheme == row.scheme)
        #expect(read.token68 == row.token68)
        let parameters = read.parameters.map { parameter in
            let value = String(String.UnicodeScalarView(parameter.bytes.map { Unicode.Scalar($0) }))
            return "\(parameter.name)=\(parameter.isQuoted ? "\"\(value)\"" : value)"
        }
        #expect(parameters == row.parameters)
        #expect(read.violations.map { Row.Found(kind: $0.kind, offset: $0.offset) } == row.violations)
        #expect(read.violations.allSatisfy { $0.description.contains("RFC 9110 §11.6.2") })
    }

    @Test(arguments: wellFormed)
    func `what was read is written, and read again`(_ row: Row) {
        let read = Credentials(bytes(row.value))
        let again = Credentials(read.bytes)
        #expect(again.scheme == read.scheme)
        #expect(again.token68 == read.token68)
        #expect(again.parameters == read.parameters)
        #expect(again.violations.isEmpty)
        #expect(again.bytes == read.bytes)
    }

    @Test(arguments: wellFormed + malformed)
    func `no cut of a credential makes the reader lose its place`(_ row: Row) {
        let value = bytes(row.value)
        for end in 0...value.count {
            let read = Credentials(Array(value[..<end]))
            #expect(read.violations.allSatisfy { $0.offset < max(end, 1) })
            #expect(read.parameters.allSatisfy { $0.offset < max(end, 1) })
            #expect(read.token68 == nil || read.parameters.isEmpty)
            #expect(read.rest.count <= end)
        }
    }

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

    @Test func `what follows the scheme is kept as it came`() {
        #expect(Credentials(bytes(" Basic  a*b ,c ")).rest == bytes("a*b ,c"))
        #expect(Credentials(bytes("Basic")).rest == [])
        #expect(Credentials(bytes(", Basic  a*b")).rest == bytes("a*b"))
        #expect(Credentials(bytes("= , Basic x ")).rest == bytes("x"))
        #expect(Credentials(bytes("bASIC x"))["a"] == nil)
        #expect(Credentials(bytes("bASIC x")).isScheme("Basic"))
        #expect(Credentials(bytes("Digest Realm=x"))["rEALM"] == "x")
    }

    @Test func `a long credential is read in bounded time and with a bounded number of parameters`() {
        let long = bytes("Digest " + (0..<20_000).map { "p\($0)=v" }.joined(separator: ","))
        let read = Credentials(long)
        #expect(read.parameters.count == 64)
        #expect(read.violations.allSatisfy { $0.kind == .tooManyParameters })
        #expect(read.violations.first?.sentence.contains("at most 64") == true)
    }
}
