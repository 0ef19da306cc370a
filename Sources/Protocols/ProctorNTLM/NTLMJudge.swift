internal import ProctorBase
package import ProctorHTTP

/// Judges the last message of a client by the accounts that a server knows; only version 2 is accepted.
package struct NTLMJudge: Sendable {
    private let accounts: [Account]

    private struct Account: Sendable {
        let user: String
        /// nil: any domain is accepted.
        let domain: String?
        let password: String

        func accepts(domain other: String) -> Bool { domain.map { $0 == NTLMText.upperCase(other) } ?? true }
    }

    /// The result for one message.
    package struct Judgement: Sendable, Equatable {
        /// `DOMAIN\user`, or the user alone where the domain is empty.
        package var user: String
        /// Empty: the client is admitted.
        package var faults: [CredentialFault] = []
        package var remarks: [CredentialFault] = []
    }

    /// A name such as `LAB\user` asks for the domain, too; names are compared without regard to case.
    package init(accounts: [CredentialAccount]) {
        self.accounts = accounts.map { account in
            let name = NTLMName(account.user)
            return Account(
                user: NTLMText.upperCase(name.user), domain: name.domain.map(NTLMText.upperCase),
                password: account.password)
        }
    }

    /// `bytes` is the whole message, over which its MIC is computed.
    package func judge(_ message: NTLMAuthenticate, bytes: [UInt8], after exchange: NTLMExchange) -> Judgement {
        var judgement = Judgement(user: message.domain.isEmpty ? message.user : "\(message.domain)\\\(message.user)")
        let known = accounts.filter { $0.user == NTLMText.upperCase(message.user) }
        guard let account = known.first(where: { $0.accepts(domain: message.domain) }) else {
            let domains = known.compactMap(\.domain).map { Self.quoted($0) }
            judgement.refuse(
                .unknownUser,
                domains.isEmpty
                    ? "the user \(Self.quoted(message.user)) is not known"
                    : "the user \(Self.quoted(message.user)) is not known in the domain \(Self.quoted(message.domain)); "
                        + "expected the domain \(domains.joined(separator: " or "))")
            return judgement
        }
        switch message.response {
        case .none: judgement.refuse(.malformedResponse, "the message has no NT response; expected one of version 2")
        case .old:
            judgement.refuse(
                .wrongAlgorithm, "the NT response has the 24 bytes of NTLM version 1; expected version 2",
                section: "MS-NLMP §3.3.2")
        case .malformed(let bytes):
            judgement.refuse(.malformedResponse, "the NT response has \(bytes.count) bytes; expected at least 44")
        case .new(let response):
            check(response, of: message, by: account, after: exchange, &judgement)
            guard judgement.faults.isEmpty else { return judgement }
            checkMIC(of: message, bytes: bytes, response, by: account, after: exchange, &judgement)
            remarkOddities(of: message, response, by: account, after: exchange, &judgement)
        }
        return judgement
    }

    private func check(
        _ response: NTLMNewResponse, of message: NTLMAuthenticate, by account: Account, after exchange: NTLMExchange,
        _ judgement: inout Judgement
    ) {
        func isRight(_ text: String, password: String) -> Bool {
            guard let key = NTLMProof.key(ofText: text, password: password) else { return false }
            return NTLMProof.proof(nonce: exchange.nonce, input: response.input, key: key) == response.proof
        }
        let (user, domain) = (NTLMText.upperCase(message.user), message.domain)
        if isRight(user + domain, password: account.password) { return }
        let cause: String? =
            if isRight(message.user + domain, password: account.password) {
                "it was computed with the user as it is written; expected upper case"
            } else if isRight(user + NTLMText.upperCase(domain), password: account.password) {
                "it was computed with the domain in upper case; expected the domain as the message has it"
            } else if isRight(user, password: account.password) {
                "it was computed without the domain \(Self.quoted(domain)) of the message"
            } else if isRight(user + domain, password: "") {
                "it was computed with an empty password"
            } else {
                nil
            }
        judgement.refuse(
            .wrongResponse,
            "the proof of the NT response is wrong: "
                + (cause ?? "another password, another challenge of the server, or other bytes behind the proof"),
            section: "MS-NLMP §3.3.2")
    }

    private func checkMIC(
        of message: NTLMAuthenticate, bytes: [UInt8], _ response: NTLMNewResponse, by account: Account,
        after exchange: NTLMExchange, _ judgement: inout Judgement
    ) {
        let section = "MS-NLMP §3.1.5.1.2"
        guard let flags = response.pairs[.flags], (flags.first ?? 0) & 2 != 0 else {
            if exchange.time != nil {
                judgement.remark(
                    .wrongMIC, "the challenge names a time, and the response announces no MIC over the messages",
                    section: section)
            }
            return
        }
        let key = NTLMProof.key(user: message.user, domain: message.domain, password: account.password)
        let sessionKey = key.flatMap { NTLMProof.sessionKey(proof: response.proof, key: $0) }
        func isRight(at range: Range<Int>) -> Bool {
            guard let sessionKey, bytes.count >= range.upperBound else { return false }
            return Array(bytes[range])
                == NTLMProof.mic(
                    negotiate: exchange.negotiate, challenge: exchange.challenge, authenticate: bytes,
                    sessionKey: sessionKey, at: range)
        }
        if message.sessionKey.isEmpty, isRight(at: NTLMAuthenticate.shiftedMICRange) {
            return judgement.refuse(
                .wrongMIC,
                "the message leaves out the eight bytes of Version, which are there whatever the flags say, so the "
                    + "MIC stands at byte 64 in place of byte 72", section: "MS-NLMP §2.2.1.3")
        }
        guard message.mic != nil else {
            return judgement.refuse(
                .wrongMIC, "the response announces a MIC, and the message has no place for one", section: section)
        }
        guard message.sessionKey.isEmpty else {
            return judgement.remark(
                .wrongMIC, "the MIC is not compared: the message has a session key, which was not agreed on",
                section: section)
        }
        guard isRight(at: NTLMAuthenticate.micRange) else {
            return judgement.refuse(
                .wrongMIC,
                "the MIC is not that of the three messages of this connection, as the server sent and received them",
                section: section)
        }
    }

    /// What no server refuses.
    private func remarkOddities(
        of message: NTLMAuthenticate, _ response: NTLMNewResponse, by account: Account, after exchange: NTLMExchange,
        _ judgement: inout Judgement
    ) {
        let isZero = !message.lmResponse.contains { $0 != 0 }
        if let time = exchange.time {
            if response.time != time {
                judgement.remark(.wrongResponse, "the response has another time than the challenge")
            }
            if !isZero {
                judgement.remark(.wrongResponse, "the challenge names a time, and the LM response is not 24 zeros")
            }
        } else if !isZero, message.lmResponse.count != 24 {
            judgement.remark(
                .malformedResponse, "the LM response has \(message.lmResponse.count) bytes; expected 24",
                section: "MS-NLMP §2.2.2.4")
        } else if !isZero,
            let key = NTLMProof.key(user: message.user, domain: message.domain, password: account.password),
            NTLMProof.lmResponse(nonce: exchange.nonce, clientNonce: Array(message.lmResponse[16...]), key: key)
                != message.lmResponse
        {
            judgement.remark(
                .wrongResponse, "the LM response is wrong, and the NT response is right", section: "MS-NLMP §3.3.2")
        }
        for pair in exchange.targetInfo where !response.pairs.contains(pair) {
            judgement.remark(
                .wrongResponse, "the pair \(pair.id) of the challenge is not in the response", section: "MS-NLMP §3.3.2"
            )
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(PrintableText.sanitize(text, limit: 100))\"" }
}

extension NTLMJudge.Judgement {
    fileprivate mutating func refuse(
        _ kind: CredentialFault.Kind, _ sentence: String, section: String = "MS-NLMP §3.2.5.1.2"
    ) { faults.append(CredentialFault(kind, sentence, section: section)) }

    fileprivate mutating func remark(
        _ kind: CredentialFault.Kind, _ sentence: String, section: String = "MS-NLMP §3.1.5.1.2"
    ) { remarks.append(CredentialFault(kind, sentence, section: section)) }
}

/// A name as people write it: `DOMAIN\user`, or the user alone.
package struct NTLMName: Sendable, Equatable {
    package let user: String
    /// nil: none is written.
    package let domain: String?

    package init(_ text: String) {
        guard let slash = text.firstIndex(of: "\\") else {
            user = text
            domain = nil
            return
        }
        user = String(text[text.index(after: slash)...])
        domain = String(text[..<slash])
    }
}
