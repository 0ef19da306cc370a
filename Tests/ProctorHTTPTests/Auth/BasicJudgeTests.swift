import ProctorHTTP
import Testing

struct BasicJudgeTests {
    static let judge = BasicJudge(accounts: [
        CredentialAccount(user: "Aladdin", password: "open sesame"),
        CredentialAccount(user: "test", password: "123\u{A3}"),
        CredentialAccount(user: "", password: "nobody"), CredentialAccount(user: "a", password: "b:c"),
        CredentialAccount(user: "J\u{E4}s\u{F8}n", password: "x"), CredentialAccount(user: "empty", password: ""),
        CredentialAccount(user: "no:body", password: "x"),
    ])

    struct Row: Sendable, CustomTestStringConvertible {
        let value: String
        let user: String?
        let account: Int?
        let kinds: [CredentialFault.Kind]
        let words: String

        init(
            _ value: String, _ user: String?, account: Int?, kinds: [CredentialFault.Kind] = [], says words: String = ""
        ) {
            self.value = value
            self.user = user
            self.account = account
            self.kinds = kinds
            self.words = words
        }

        var testDescription: String { value }
    }

    /// The first two are RFC 7617's own (§2 and §2.1).
    static let right: [Row] = [
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", account: 0),
        Row("Basic dGVzdDoxMjPCow==", "test", account: 1),
        Row("Basic Om5vYm9keQ==", "", account: 2), Row("Basic YTpiOmM=", "a", account: 3),
        Row("Basic SsOkc8O4bjp4", "J\u{E4}s\u{F8}n", account: 4),
        Row("basic ZW1wdHk6", "empty", account: 5), Row("BASIC   ZW1wdHk6 ", "empty", account: 5),
    ]

    static let wrong: [Row] = [
        Row("Digest a=b", nil, account: nil, kinds: [.wrongScheme], says: "expected Basic"),
        Row("Basic", nil, account: nil, kinds: [.malformedField], says: "nothing follows"),
        Row("", nil, account: nil, kinds: [.malformedField], says: "empty"),
        Row("Basic a:b", nil, account: nil, kinds: [.malformedBase64], says: "\":\" at byte 1"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ", nil, account: nil, kinds: [.malformedBase64], says: "expected 2"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=", nil, account: nil, kinds: [.malformedBase64], says: "has 1 of"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ===", nil, account: nil, kinds: [.malformedBase64], says: "has 3 of"),
        Row(
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZR==", nil, account: nil, kinds: [.malformedBase64],
            says: "bits that belong to no byte"),
        Row("Basic QWxhZ", nil, account: nil, kinds: [.malformedBase64], says: "cut off"),
        Row("Basic QWxh ZGRp", nil, account: nil, kinds: [.malformedBase64], says: "\" \" at byte 4"),
        Row("Basic QWxh-GRp", nil, account: nil, kinds: [.malformedBase64], says: "base64url"),
        Row("Basic QQ==QQ==", nil, account: nil, kinds: [.malformedBase64], says: "follows the padding"),
        Row("Basic QWxhZGRpbg==", nil, account: nil, kinds: [.missingColon], says: "7 bytes without a colon"),
        Row(
            "Basic dXNlcgA6cGFzcw==", "user\u{0}", account: nil, kinds: [.controlCharacter, .unknownUser],
            says: "byte 4 of the user"),
        Row(
            "Basic YTpiOgpj", "a", account: 3, kinds: [.controlCharacter, .wrongPassword],
            says: "byte 2 of the password"),
        Row("Basic QWxhZGRpbjpPcGVu", "Aladdin", account: 0, kinds: [.wrongPassword], says: "4 bytes came"),
        Row(
            "Basic YWxhZGRpbjpvcGVuIHNlc2FtZQ==", "aladdin", account: nil, kinds: [.unknownUser],
            says: "letter case counts"),
        Row(
            "Basic enp6enp6enp6enp6OnA=", "zzzzzzzzzzzz", account: nil, kinds: [.unknownUser], says: "there is no user"),
        Row("Basic dGVzdDoxMjOj", "test", account: 1, kinds: [.wrongCharset], says: "ISO-8859-1"),
        Row("Basic SuRz+G46eA==", "J\u{E4}s\u{F8}n", account: 4, kinds: [.wrongCharset], says: "ISO-8859-1"),
        Row("Basic SmHMiHPDuG46eA==", "J\u{E4}s\u{F8}n", account: 4, kinds: [.wrongCharset], says: "NFC"),
        Row("Basic\tZW1wdHk6", "empty", account: 5, kinds: [.malformedField], says: "tab"),
    ]

    @Test(arguments: right + wrong)
    func `a credential is judged`(_ row: Row) {
        let value = bytes(row.value)
        let judgement = Self.judge.judge(Credentials(value))
        #expect(judgement.user == row.user)
        #expect(judgement.accountIndex == row.account)
        #expect(judgement.faults.map(\.kind) == row.kinds)
        #expect(judgement.isAdmitted == row.kinds.isEmpty)
        let words = judgement.faults.map(\.description).joined(separator: "\n")
        #expect(words.contains(row.words), "\(words)")
        for secret in ["sesame", "nobody", "b:c", "Open"] { #expect(!words.contains(secret)) }
        if let fast = Self.judge.accountIndex(ofFieldValue: value) {
            #expect(judgement.isAdmitted && fast == judgement.accountIndex)
        }
    }

    @Test func `what a client writes is admitted by one look-up`() throws {
        for (index, user, password) in [(0, "Aladdin", "open sesame"), (2, "", "nobody"), (4, "J\u{E4}s\u{F8}n", "x")] {
            let value = try Array(BasicCredential(user: user, password: password).fieldValue.utf8)
            #expect(Self.judge.accountIndex(ofFieldValue: value) == index)
        }
        #expect(Self.judge.accountIndex(ofFieldValue: bytes("Basic")) == nil)
    }

    @Test func `a user with a colon can't be admitted`() {
        #expect(Self.judge.judge(Credentials(bytes("Basic bm86Ym9keTp4"))).faults.map(\.kind) == [.unknownUser])
    }
}

struct BasicCredentialTests {
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ("user", "pass", "Basic dXNlcjpwYXNz"), ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
    ])
    func `user and password are one base64 text`(_ user: String, _ password: String, _ value: String) throws {
        #expect(try BasicCredential(user: user, password: password).fieldValue == value)
    }

    @Test(arguments: [
        ("a:b", "c", BasicCredentialError.colonInUser), ("a\n", "b", .control), ("a", "b\u{0}", .control),
        ("a", "\u{7F}", .control),
    ])
    func `what the server would read otherwise is refused`(
        _ user: String, _ password: String, _ refusal: BasicCredentialError
    ) {
        #expect(throws: refusal) { try BasicCredential(user: user, password: password) }
        #expect(refusal.description.contains("RFC 7617"))
    }
}
