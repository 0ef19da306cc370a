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
            _ value: String, _ user: String?, _ account: Int?, _ kinds: [CredentialFault.Kind] = [],
            _ words: String = ""
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
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", 0), Row("Basic dGVzdDoxMjPCow==", "test", 1),
        Row("Basic Om5vYm9keQ==", "", 2), Row("Basic YTpiOmM=", "a", 3),
        Row("Basic SsOkc8O4bjp4", "J\u{E4}s\u{F8}n", 4),
        Row("basic ZW1wdHk6", "empty", 5), Row("BASIC   ZW1wdHk6 ", "empty", 5),
    ]

    static let wrong: [Row] = [
        Row("Digest a=b", nil, nil, [.wrongScheme], "expected Basic"),
        Row("Basic", nil, nil, [.malformedField], "nothing follows"),
        Row("", nil, nil, [.malformedField], "empty"),
        Row("Basic a:b", nil, nil, [.malformedBase64], "\":\" at byte 1"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ", nil, nil, [.malformedBase64], "expected 2"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=", nil, nil, [.malformedBase64], "has 1 of"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ===", nil, nil, [.malformedBase64], "has 3 of"),
        Row("Basic QWxhZGRpbjpvcGVuIHNlc2FtZR==", nil, nil, [.malformedBase64], "bits that belong to no byte"),
        Row("Basic QWxhZ", nil, nil, [.malformedBase64], "cut off"),
        Row("Basic QWxh ZGRp", nil, nil, [.malformedBase64], "\" \" at byte 4"),
        Row("Basic QWxh-GRp", nil, nil, [.malformedBase64], "base64url"),
        Row("Basic QQ==QQ==", nil, nil, [.malformedBase64], "follows the padding"),
        Row("Basic QWxhZGRpbg==", nil, nil, [.missingColon], "7 bytes without a colon"),
        Row("Basic dXNlcgA6cGFzcw==", "user\u{0}", nil, [.controlCharacter, .unknownUser], "byte 4 of the user"),
        Row("Basic YTpiOgpj", "a", 3, [.controlCharacter, .wrongPassword], "byte 2 of the password"),
        Row("Basic QWxhZGRpbjpPcGVu", "Aladdin", 0, [.wrongPassword], "4 bytes came"),
        Row("Basic YWxhZGRpbjpvcGVuIHNlc2FtZQ==", "aladdin", nil, [.unknownUser], "letter case counts"),
        Row("Basic enp6enp6enp6enp6OnA=", "zzzzzzzzzzzz", nil, [.unknownUser], "there is no user"),
        Row("Basic dGVzdDoxMjOj", "test", 1, [.wrongCharset], "ISO-8859-1"),
        Row("Basic SuRz+G46eA==", "J\u{E4}s\u{F8}n", 4, [.wrongCharset], "ISO-8859-1"),
        Row("Basic SmHMiHPDuG46eA==", "J\u{E4}s\u{F8}n", 4, [.wrongCharset], "NFC"),
        Row("Basic\tZW1wdHk6", "empty", 5, [.malformedField], "tab"),
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
