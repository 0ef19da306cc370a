import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorNTLM
import Testing

private func hex(_ bytes: [UInt8]?) -> String? {
    bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

struct `What NTLM computes` {
    private static func bytes(_ digits: String) -> [UInt8] { (try? HexText.decode(Array(digits.utf8))) ?? [] }

    /// MS-NLMP §4.2.1 and §4.2.4.
    private static let nonce = bytes("0123456789abcdef")
    private static let clientNonce = [UInt8](repeating: 0xAA, count: 8)
    private static let pairs = [
        NTLMPair(.domain, NTLMText.utf16("Domain")), NTLMPair(.computer, NTLMText.utf16("Server")),
    ]

    @Test func `the example of MS-NLMP §4.2.4`() throws {
        try #require(LegacyHash.refusal == nil)
        let key = try #require(NTLMProof.key(user: "User", domain: "Domain", password: "Password"))
        #expect(hex(key) == "0c868a403bfd7a93a3001ef22ef02e3f")
        let input = NTLMProof.input(time: 0, clientNonce: Self.clientNonce, pairs: Self.pairs)
        let proof = try #require(NTLMProof.proof(nonce: Self.nonce, input: input, key: key))
        #expect(hex(proof) == "68cd0ab851e51c96aabc927bebef6a1c")
        #expect(hex(NTLMProof.sessionKey(proof: proof, key: key)) == "8de40ccadbc14a82f15cb0ad0de95ca3")
        #expect(
            hex(NTLMProof.lmResponse(nonce: Self.nonce, clientNonce: Self.clientNonce, key: key))
                == "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa")
    }

    @Test func `MD4 and HMAC-MD5 of their documents`() {
        #expect(hex(LegacyHash.md4(Array("message digest".utf8))) == "d9130a8164549fe818874806e1c7014b")
        #expect(
            hex(LegacyHash.hmacMD5(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
                == "750c783e6ab0b503eaa86e310a5db738")
        #expect(hex(LegacyHash.md4([])) == "31d6cfe0d16ae931b73c59d7e0c089c0")
    }

    @Test func `a user is put into upper case one character at a time`() {
        #expect(NTLMText.upperCase("jäsøn ß") == "JÄSØN ß")
    }

    @Test func `a missing MD4 is told with what to do`() {
        let text = "\(HashRefusal(function: nil, reason: "unsupported"))"
        #expect(text.contains("MD4") && text.contains("\"unsupported\"") && text.contains("FIPS"))
    }
}

struct `A client and a server of NTLM` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var user = "user"
        var password = "pass"
        var accounts = [CredentialAccount(user: "user", password: "pass")]
        var offer = NTLMExchange.Offer(target: "PROCTOR")
        var faults: [CredentialFault.Kind] = []
    }

    static let rows: [Row] = [
        Row(testDescription: "the right password"),
        Row(testDescription: "a fixed challenge", offer: NTLMExchange.Offer(target: "X", nonce: [UInt8](1...8))),
        Row(testDescription: "a challenge with a time", offer: NTLMExchange.Offer(target: "X", namesTime: true)),
        Row(testDescription: "the case of the user", user: "USER"),
        Row(testDescription: "a domain that nobody asks for", user: #"lab\user"#),
        Row(
            testDescription: "the domain of the account", user: #"lab\user"#,
            accounts: [CredentialAccount(user: #"LAB\user"#, password: "pass")]),
        Row(
            testDescription: "no domain", accounts: [CredentialAccount(user: #"LAB\user"#, password: "pass")],
            faults: [.unknownUser]),
        Row(
            testDescription: "beyond ASCII", user: "Jäsøn", password: "Sécret",
            accounts: [CredentialAccount(user: "Jäsøn", password: "Sécret")]),
        Row(testDescription: "a wrong password", password: "no", faults: [.wrongResponse]),
        Row(testDescription: "an empty password", password: "", faults: [.wrongResponse]),
        Row(testDescription: "an unknown user", user: "other", faults: [.unknownUser]),
    ]

    @Test(arguments: rows)
    func `the judgement of what the client answers`(row: Row) throws {
        try #require(NTLMSession.isPossible)
        let talk = try Talk(row.user, row.password, row.offer)
        let judgement = NTLMJudge(accounts: row.accounts).judge(talk.message, bytes: talk.bytes, after: talk.exchange)
        #expect(judgement.faults.map(\.kind) == row.faults, "\(judgement.faults)")
        #expect(judgement.remarks.isEmpty, "\(judgement.remarks)")
        #expect(!talk.session.isBound && !talk.session.awaitsChallenge)
    }

    @Test func `a MIC is that of the messages of this connection`() throws {
        let talk = try Talk("user", "pass", NTLMExchange.Offer(target: "X", namesTime: true))
        #expect(talk.message.mic != nil && talk.message.lmResponse == [UInt8](repeating: 0, count: 24))
        let judge = NTLMJudge(accounts: [CredentialAccount(user: "user", password: "pass")])
        var changed = talk.bytes
        changed[64] ^= 1
        #expect(judge.judge(talk.message, bytes: changed, after: talk.exchange).faults.map(\.kind) == [.wrongMIC])
    }

    @Test func `responses of version 1, none and of another challenge are refused`() throws {
        let talk = try Talk("user", "pass", NTLMExchange.Offer(target: "X"))
        let judge = NTLMJudge(accounts: [CredentialAccount(user: "user", password: "pass")])
        func kinds(_ response: NTLMResponse, after exchange: NTLMExchange) -> [CredentialFault.Kind] {
            var message = talk.message
            message.response = response
            return judge.judge(message, bytes: talk.bytes, after: exchange).faults.map(\.kind)
        }
        #expect(kinds(.old([UInt8](1...24)), after: talk.exchange) == [.wrongAlgorithm])
        #expect(kinds(.none, after: talk.exchange) == [.malformedResponse])
        #expect(kinds(.malformed([1]), after: talk.exchange) == [.malformedResponse])
        let other = try Talk("user", "pass", NTLMExchange.Offer(target: "X"))
        #expect(kinds(talk.message.response, after: other.exchange) == [.wrongResponse])
    }

    @Test func `what is wrong about a proof is named where it can be found out`() throws {
        let talk = try Talk(#"lab\user"#, "", NTLMExchange.Offer(target: "X"))
        let judge = NTLMJudge(accounts: [CredentialAccount(user: "user", password: "pass")])
        let sentence = judge.judge(talk.message, bytes: talk.bytes, after: talk.exchange).faults.first?.sentence
        #expect(sentence?.contains("an empty password") == true)
    }

    @Test func `a client answers no challenge that breaks a rule`() throws {
        let talk = try Talk("user", "pass", NTLMExchange.Offer(target: "X"))
        let right = talk.exchange.challenge
        #expect(NTLMServerToken(Base64Text.encode(right)) != nil)
        for change in [(8, 3), (20, 0x09), (48 + 8, 0)] {
            var wrong = right
            wrong[change.0] = UInt8(change.1)
            if change.0 == 56 { wrong = Array(right.dropLast(4)) }
            #expect(NTLMServerToken(Base64Text.encode(wrong)) == nil)
        }
        #expect(NTLMServerToken("!") == nil)
    }

    @Test func `a client that lost its connection begins again`() throws {
        var session = NTLMSession()
        let first = session.fieldValue(user: "user", password: "pass")
        #expect(session.awaitsChallenge)
        #expect(session.fieldValue(user: "user", password: "pass") == first)
        session.receive(nil)
        #expect(!session.awaitsChallenge && !session.isBound)
    }

    private struct Talk {
        let session: NTLMSession
        let exchange: NTLMExchange
        let bytes: [UInt8]
        let message: NTLMAuthenticate

        init(_ user: String, _ password: String, _ offer: NTLMExchange.Offer) throws {
            func decoded(_ value: [UInt8]?) throws -> [UInt8] {
                let text = try #require(value).dropFirst(5)
                return try Base64Text.decode(Array(text))
            }
            var session = NTLMSession()
            let first = try decoded(session.fieldValue(user: user, password: password))
            guard case .negotiate(let negotiate)? = NTLMReader.read(first).message else { throw Unread() }
            exchange = NTLMExchange(answering: negotiate, bytes: first, with: offer)
            let token: NTLMServerToken = try #require(NTLMServerToken(Base64Text.encode(exchange.challenge)))
            session.receive(token)
            bytes = try decoded(session.fieldValue(user: user, password: password))
            let reading = NTLMReader.read(bytes)
            #expect(reading.violations.isEmpty)
            guard case .authenticate(let message)? = reading.message else { throw Unread() }
            self.message = message
            self.session = session
        }

        struct Unread: Error {}
    }
}
