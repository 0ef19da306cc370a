import ProctorBase
package import ProctorHTTP
package import ProctorNTLM

/// The server's side of Negotiate: reads each token of a client, answers it, and judges the last one (RFC 4559, RFC
/// 4178).
package struct NegotiateJudge: Sendable {
    private let offer: Offer
    private let ntlm: NTLMJudge
    private let accounts: [CredentialAccount]

    /// What a server accepts and says.
    package struct Offer: Sendable, Equatable {
        /// Never empty.
        package var mechanisms: [NegotiateMechanism]
        package var ntlm: NTLMExchange.Offer
        /// 2, or 3 where the stub mechanism has a challenge.
        package var stubLegs: Int
        /// The server's proof in the last token of the stub mechanism.
        package var proof: Proof

        package enum Proof: String, Sendable, CaseIterable { case right, wrong, none }

        package init(mechanisms: [NegotiateMechanism], ntlm: NTLMExchange.Offer, stubLegs: Int, proof: Proof) {
            (self.mechanisms, self.ntlm, self.stubLegs, self.proof) = (mechanisms, ntlm, stubLegs, proof)
        }
    }

    /// The result for one token.
    package struct Judgement: Sendable {
        package var user: String?
        package var faults: [CredentialFault] = []
        package var remarks: [CredentialFault] = []
        /// What the token says, in one line; nil: it can't be read.
        package var text: String?
        /// The server's next token, where one more of the client is due.
        package var reply: [UInt8]?
        /// What the next token of the connection is judged by.
        package var exchange: NegotiateExchange?
        /// The server's last token, which goes with the reply that admits the client.
        package var closing: [UInt8]?
        /// Whether the client is admitted by this token.
        package var isAdmitted = false

        mutating func refuse(_ kind: CredentialFault.Kind, _ sentence: String, section: String) {
            faults.append(CredentialFault(kind, sentence, section: section))
        }
    }

    package init(_ offer: Offer, accounts: [CredentialAccount]) {
        (self.offer, self.accounts) = (offer, accounts)
        ntlm = NTLMJudge(accounts: accounts)
    }

    /// Judges a token; `exchange` is what the one before it on its connection left, nil: none.
    package func judge(_ bytes: [UInt8], after exchange: NegotiateExchange?) -> Judgement {
        var judgement = Judgement()
        judgement.text = MessageFacts.sentence(ofNegotiate: bytes)
        if bytes.starts(with: Array("NTLMSSP".utf8)) {
            guard accepts(.ntlm, &judgement) else { return judgement }
            let fresh = NegotiateExchange(form: .ntlm, mechanism: .ntlm, listBytes: [], needsMIC: false)
            judgeNTLM(bytes, in: exchange?.form == .ntlm ? exchange ?? fresh : fresh, &judgement)
            return judgement
        }
        let reading = SPNEGOReader.read(bytes)
        judgement.faults = reading.violations.map { Self.fault($0, of: "token") }
        guard judgement.faults.isEmpty else { return judgement }
        switch reading.message {
        case nil: break
        case .bare(let mechanism):
            judgement.refuse(
                .wrongMechanism,
                "a token of \(mechanism.name) without SPNEGO; expected \(acceptedNames)", section: "RFC 4559 §4.2")
        case .initial(let message): start(message, &judgement)
        case .response(let message):
            guard let exchange, exchange.form == .spnego else {
                judgement.refuse(
                    .wrongConnection,
                    "a later token of a negotiation, and this connection has none that waits for one; begin anew here "
                        + "with NegTokenInit", section: "RFC 4559 §4.2")
                break
            }
            guard let token = message.token else {
                judgement.refuse(
                    .malformedMessage,
                    message.state == .rejected
                        ? "the client rejects the negotiation" : "the token has no responseToken; expected one",
                    section: "RFC 4178 §4.2.2")
                break
            }
            step(token, mic: message.mic, in: exchange, &judgement)
        }
        return judgement
    }

    // MARK: SPNEGO

    private func start(_ message: NegTokenInit, _ judgement: inout Judgement) {
        let known = message.mechanisms.lazy.compactMap { NegotiateMechanism($0) }
        guard let mechanism = known.first(where: offer.mechanisms.contains) else {
            judgement.refuse(
                .wrongMechanism,
                "the client offers \(message.mechanisms.map(\.name).joined(separator: ", ")); expected \(acceptedNames)",
                section: "RFC 4178 §4.2.2")
            return
        }
        let isPreferred = message.mechanisms.first == mechanism.identifier
        // NTLM has no key here by which a MIC could be made, so none is asked for.
        var exchange = NegotiateExchange(
            form: .spnego, mechanism: mechanism, listBytes: message.listBytes,
            needsMIC: !isPreferred && mechanism == .stub)
        if isPreferred, let token = message.token {
            step(token, mic: message.mic, in: exchange, &judgement)
        } else {
            exchange.isSelected = true
            judgement.exchange = exchange
            judgement.reply = SPNEGOWriter.bytes(
                of: .response(
                    NegTokenResp(
                        state: exchange.needsMIC ? .requestMIC : .incomplete, mechanism: mechanism.identifier)))
        }
    }

    private func step(
        _ token: [UInt8], mic: [UInt8]?, in exchange: NegotiateExchange, _ judgement: inout Judgement
    ) {
        switch exchange.mechanism {
        case .ntlm: judgeNTLM(token, in: exchange, &judgement)
        case .stub: judgeStub(token, mic: mic, in: exchange, &judgement)
        }
    }

    /// The server's token around one of its mechanism; `exchange` learns that the mechanism was named.
    private func token(
        _ state: NegTokenResp.State, _ inner: [UInt8]?, mic: [UInt8]? = nil, in exchange: inout NegotiateExchange
    ) -> [UInt8] {
        let mechanism = exchange.isSelected ? nil : exchange.mechanism.identifier
        exchange.isSelected = true
        return SPNEGOWriter.bytes(
            of: .response(NegTokenResp(state: state, mechanism: mechanism, token: inner, mic: mic)))
    }

    private var acceptedNames: String { offer.mechanisms.map(\.rawValue).joined(separator: " or ") }

    private func accepts(_ mechanism: NegotiateMechanism, _ judgement: inout Judgement) -> Bool {
        if offer.mechanisms.contains(mechanism) { return true }
        judgement.refuse(
            .wrongMechanism, "a message of \(mechanism.rawValue); expected \(acceptedNames)", section: "RFC 4178 §4.1")
        return false
    }

    private static func fault(_ violation: SPNEGOViolation, of name: String) -> CredentialFault {
        CredentialFault(
            .malformedMessage, "at byte \(violation.offset) of the \(name): \(violation.sentence)",
            section: violation.section)
    }

    // MARK: NTLM

    private func judgeNTLM(_ bytes: [UInt8], in exchange: NegotiateExchange, _ judgement: inout Judgement) {
        let reading = NTLMReader.read(bytes)
        judgement.faults += reading.violations.map { violation in
            CredentialFault(
                .malformedMessage, "at byte \(violation.offset) of the message of NTLM: \(violation.sentence)",
                section: violation.section)
        }
        guard judgement.faults.isEmpty else { return }
        var exchange = exchange
        switch reading.message {
        case nil: break
        case .negotiate(let message):
            let challenge = NTLMExchange(answering: message, bytes: bytes, with: offer.ntlm)
            exchange.ntlm = challenge
            judgement.reply =
                exchange.form == .ntlm
                ? challenge.challenge : token(.incomplete, challenge.challenge, in: &exchange)
            judgement.exchange = exchange
        case .challenge:
            judgement.refuse(
                .malformedMessage, "at byte 8 of the message of NTLM: the type 2 is of servers; expected 1 or 3",
                section: "MS-NLMP §2.2.1")
        case .authenticate(let message):
            guard let challenge = exchange.ntlm else {
                judgement.user = message.user
                judgement.refuse(
                    .wrongConnection,
                    "the last message of NTLM, and this connection has no challenge that waits for one; begin anew here",
                    section: "MS-NTHT §1.3")
                return
            }
            let result = ntlm.judge(message, bytes: bytes, after: challenge)
            (judgement.user, judgement.remarks) = (result.user, judgement.remarks + result.remarks)
            judgement.faults += result.faults
            judgement.isAdmitted = judgement.faults.isEmpty
            if judgement.isAdmitted, exchange.form == .spnego {
                judgement.closing = token(.completed, nil, in: &exchange)
            }
        }
    }

    // MARK: The stub mechanism

    private func judgeStub(
        _ bytes: [UInt8], mic: [UInt8]?, in exchange: NegotiateExchange, _ judgement: inout Judgement
    ) {
        let message: StubMessage
        do throws(SPNEGOViolation) {
            message = try StubMessage(bytes)
        } catch {
            judgement.faults.append(Self.fault(error, of: "message of the stub mechanism"))
            return
        }
        switch message {
        case .first(let first): judgeFirst(first, mic: mic, in: exchange, &judgement)
        case .answer(let proof):
            guard let (asked, account) = exchange.stub else {
                judgement.refuse(
                    .wrongConnection,
                    "an answer of the stub mechanism, and this connection has no challenge that waits for one",
                    section: "RFC 4559 §4.2")
                return
            }
            judgement.user = accounts[account].user
            guard proof == StubProof.answerProof(to: asked, password: accounts[account].password) else {
                judgement.refuse(
                    .wrongResponse, "the proof of the answer is wrong: another password, or another challenge",
                    section: Self.section)
                return
            }
            var (exchange, transcript) = (exchange, asked)
            transcript.append(message)
            exchange.stub = (transcript, account)
            admit(mic: mic, in: exchange, &judgement)
        case .challenge, .last:
            judgement.refuse(
                .malformedMessage,
                "at byte 8 of the message of the stub mechanism: leg \(message.leg) is of servers; expected 1 or 3",
                section: Self.section)
        }
    }

    private static let section = "Docs/format/guards.md"

    private func judgeFirst(
        _ first: StubFirst, mic: [UInt8]?, in exchange: NegotiateExchange, _ judgement: inout Judgement
    ) {
        judgement.user = first.user
        guard let index = accounts.firstIndex(where: { $0.user == first.user }) else {
            judgement.refuse(.unknownUser, "the user of the stub mechanism is not known", section: Self.section)
            return
        }
        guard first.proof == StubProof.first(first, password: accounts[index].password) else {
            judgement.refuse(
                .wrongResponse, "the proof of the first message is wrong: another password, or other bytes before it",
                section: Self.section)
            return
        }
        var exchange = exchange
        var transcript = StubTranscript([StubMessage.first(first).bytes])
        guard offer.stubLegs > 2 else {
            exchange.stub = (transcript, index)
            admit(mic: mic, in: exchange, &judgement)
            return
        }
        let challenge = StubMessage.challenge(
            nonce: (0..<StubMessage.nonceByteCount).map { _ in UInt8.random(in: 0...255) })
        transcript.append(challenge)
        exchange.stub = (transcript, index)
        judgement.reply = token(.incomplete, challenge.bytes, in: &exchange)
        judgement.exchange = exchange
    }

    private func admit(mic: [UInt8]?, in exchange: NegotiateExchange, _ judgement: inout Judgement) {
        guard let (transcript, account) = exchange.stub else { return }
        let password = accounts[account].password
        func listMIC(ofServer isServer: Bool) -> [UInt8]? {
            StubProof.mic(over: exchange.listBytes, ofServer: isServer, behind: transcript, password: password)
        }
        if exchange.needsMIC, mic == nil {
            judgement.refuse(
                .wrongMIC,
                "no MIC protects the list of mechanisms, of which the first was not selected; expected mechListMIC in "
                    + "the last token", section: "RFC 4178 §5")
        } else if let mic, mic != listMIC(ofServer: false) {
            judgement.refuse(
                .wrongMIC, "mechListMIC is not that of the list of mechanisms as it was received",
                section: "RFC 4178 §5")
        }
        guard judgement.faults.isEmpty else { return }
        judgement.isAdmitted = true
        var (exchange, proof) = (exchange, StubProof.last(behind: transcript, password: password))
        if offer.proof == .wrong { proof = proof?.map { ~$0 } }
        judgement.closing = token(
            .completed, offer.proof == .none ? nil : proof.map { StubMessage.last(proof: $0).bytes },
            mic: exchange.needsMIC ? listMIC(ofServer: true) : nil, in: &exchange)
    }
}
