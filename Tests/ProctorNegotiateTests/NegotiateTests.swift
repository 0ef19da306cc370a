import ProctorBase
import ProctorHTTP
import ProctorNTLM
import Testing

@testable import ProctorNegotiate

/// Both ends of Negotiate, without a wire.
struct `A negotiation` {
    private static let accounts = [CredentialAccount(user: "user", password: "pass")]

    private static func judge(
        _ mechanisms: [NegotiateMechanism] = [.stub], legs: Int = 3, proof: NegotiateJudge.Offer.Proof = .right
    ) -> NegotiateJudge {
        NegotiateJudge(
            NegotiateJudge.Offer(
                mechanisms: mechanisms, ntlm: NTLMExchange.Offer(target: "LAB"), stubLegs: legs, proof: proof),
            accounts: accounts)
    }

    /// Every judgement until the client is admitted, refused or has no more to say.
    private static func talk(
        _ judge: NegotiateJudge, with session: inout NegotiateSession, user: String = "user", password: String = "pass",
        changing change: (inout [UInt8], Int) -> Void = { _, _ in }
    ) -> [NegotiateJudge.Judgement] {
        var judgements: [NegotiateJudge.Judgement] = []
        while judgements.count < 10, var token = session.nextToken(user: user, password: password, host: "lab.test") {
            change(&token, judgements.count)
            let judgement = judge.judge(token, after: judgements.last?.exchange)
            judgements.append(judgement)
            guard let reply = judgement.reply else { break }
            guard case .response(let read)? = SPNEGOReader.read(reply).message else { break }
            session.receive(read)
        }
        return judgements
    }

    private static func contradiction(_ closing: [UInt8]?, _ session: NegotiateSession) -> String? {
        guard let closing, case .response(let token)? = SPNEGOReader.read(closing).message else { return "no token" }
        return session.contradiction(in: token, password: "pass")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var client: [NegotiateMechanism] = [.stub]
        var server: [NegotiateMechanism] = [.stub]
        var legs = 3
        let count: Int
    }

    @Test(arguments: [
        Row(testDescription: "the stub in three legs", count: 2),
        Row(testDescription: "the stub in two legs", legs: 2, count: 1),
        Row(testDescription: "the stub as second choice", client: [.ntlm, .stub], count: 3),
        Row(testDescription: "the stub as second choice in two legs", client: [.ntlm, .stub], legs: 2, count: 2),
        Row(testDescription: "NTLM", client: [.ntlm], server: [.ntlm], count: 2),
        Row(testDescription: "NTLM before the stub", client: [.ntlm, .stub], server: [.stub, .ntlm], count: 2),
        Row(testDescription: "NTLM as second choice", client: [.stub, .ntlm], server: [.ntlm], count: 3),
    ])
    func `who knows the password is admitted, and who serves it proves it`(row: Row) throws {
        var session = NegotiateSession(mechanisms: row.client)
        let judgements = Self.talk(Self.judge(row.server, legs: row.legs), with: &session)
        #expect(judgements.count == row.count)
        let last = try #require(judgements.last)
        #expect(last.isAdmitted && last.faults.isEmpty && last.remarks.isEmpty && last.user == "user")
        #expect(judgements.dropLast().allSatisfy { !$0.isAdmitted && $0.exchange != nil })
        #expect(judgements.allSatisfy { $0.text != nil })
        #expect(Self.contradiction(last.closing, session) == nil)
    }

    @Test(arguments: [NegotiateMechanism.stub, .ntlm])
    func `a wrong password is refused`(mechanism: NegotiateMechanism) {
        var session = NegotiateSession(mechanisms: [mechanism])
        let last = Self.talk(Self.judge([mechanism]), with: &session, password: "no").last
        #expect(last?.faults.map(\.kind) == [.wrongResponse] && last?.isAdmitted == false && last?.closing == nil)
    }

    @Test func `an unknown user, and no mechanism in common, are told`() {
        var session = NegotiateSession(mechanisms: [.stub])
        #expect(Self.talk(Self.judge(), with: &session, user: "other").last?.faults.map(\.kind) == [.unknownUser])
        session = session.restarted
        let last = Self.talk(Self.judge([.ntlm]), with: &session).last
        #expect(last?.faults.map(\.kind) == [.wrongMechanism])
        #expect(last?.faults.first?.sentence == "the client offers stub; expected ntlm")
    }

    @Test func `a proof of the server that is wrong is found, and one that is left out is not`() {
        var session = NegotiateSession(mechanisms: [.stub])
        let wrong = Self.talk(Self.judge(proof: .wrong), with: &session).last
        #expect(wrong?.isAdmitted == true)
        #expect(Self.contradiction(wrong?.closing, session)?.contains("does not prove") == true)
        session = session.restarted
        let silent = Self.talk(Self.judge(proof: .none), with: &session).last
        #expect(Self.contradiction(silent?.closing, session) == nil)
    }

    @Test func `a list of mechanisms that was changed on its way is told by its MIC`() {
        var session = NegotiateSession(mechanisms: [.ntlm, .stub])
        // Somebody on the way takes NTLM for Kerberos in the list.
        let last = Self.talk(Self.judge(), with: &session) { token, index in
            guard index == 0, case .initial(let message)? = SPNEGOReader.read(token).message else { return }
            token = SPNEGOWriter.bytes(
                of: .initial(NegTokenInit(mechanisms: [.kerberos, .stub], token: message.token)))
        }.last
        #expect(last?.faults.map(\.kind) == [.wrongMIC])
        session = session.restarted
        let without = Self.talk(Self.judge(), with: &session) { token, index in
            guard index == 2, case .response(var message)? = SPNEGOReader.read(token).message else { return }
            message.mic = nil
            token = SPNEGOWriter.bytes(of: .response(message))
        }.last
        #expect(without?.faults.map(\.kind) == [.wrongMIC] && without?.isAdmitted == false)
    }

    @Test func `a later token without an earlier one is of another connection`() {
        var session = NegotiateSession(mechanisms: [.stub])
        let first = Self.judge().judge(session.nextToken(user: "user", password: "pass", host: "a") ?? [], after: nil)
        guard let reply = first.reply, case .response(let token)? = SPNEGOReader.read(reply).message else {
            Issue.record("no challenge")
            return
        }
        session.receive(token)
        let answer = session.nextToken(user: "user", password: "pass", host: "a") ?? []
        #expect(Self.judge().judge(answer, after: nil).faults.map(\.kind) == [.wrongConnection])
        #expect(Self.judge().judge(answer, after: first.exchange).isAdmitted)
    }

    @Test func `NTLM without SPNEGO is taken where NTLM is`() throws {
        var session = NTLMSession()
        let judge = Self.judge([.ntlm])
        let first = judge.judge(session.nextMessage(user: "user", password: "pass") ?? [], after: nil)
        let challenge: NTLMServerToken = try #require(NTLMServerToken(message: first.reply ?? []))
        session.receive(challenge)
        let last = judge.judge(session.nextMessage(user: "user", password: "pass") ?? [], after: first.exchange)
        #expect(last.isAdmitted && last.closing == nil)
        let refused = Self.judge().judge(session.nextMessage(user: "", password: "") ?? [], after: nil)
        #expect(!refused.faults.isEmpty)
    }

    @Test func `what is of servers, and what has no message, is refused`() {
        func faults(_ message: SPNEGOMessage) -> [CredentialFault.Kind] {
            Self.judge([.stub, .ntlm]).judge(SPNEGOWriter.bytes(of: message), after: nil).faults.map(\.kind)
        }
        let leg = StubMessage.challenge(nonce: [UInt8](repeating: 0, count: 16)).bytes
        #expect(faults(.initial(NegTokenInit(mechanisms: [.stub], token: leg))) == [.malformedMessage])
        #expect(faults(.initial(NegTokenInit(mechanisms: [.stub], token: [1]))) == [.malformedMessage])
        #expect(faults(.initial(NegTokenInit(mechanisms: [.ntlm], token: [1]))) == [.malformedMessage])
        #expect(faults(.bare(.kerberos)) == [.wrongMechanism])
        #expect(faults(.response(NegTokenResp(token: leg))) == [.wrongConnection])
    }

    @Test func `a server's token that breaks a rule ends the client's part`() {
        for token in [
            NegTokenResp(state: .rejected), NegTokenResp(state: .incomplete, mechanism: .kerberos),
            NegTokenResp(state: .incomplete, token: [1, 2]), NegTokenResp(),
        ] {
            var session = NegotiateSession(mechanisms: [.stub])
            _ = session.nextToken(user: "user", password: "pass", host: "a")
            session.receive(token)
            #expect(session.nextToken(user: "user", password: "pass", host: "a") == nil && !session.isBound)
        }
    }

    @Test func `a message of the server in a challenge is read whole or not at all`() {
        #expect(ServerMessage(scheme: "negotiate", token68: nil) == .negotiate(nil))
        #expect(ServerMessage(scheme: "NTLM", token68: nil) == .ntlm(nil))
        #expect(
            ServerMessage(scheme: "Negotiate", token68: "oQcwBaADCgEB") == .negotiate(NegTokenResp(state: .incomplete)))
        for (scheme, text) in [("Negotiate", "oQcwBaADCgE="), ("Negotiate", "-"), ("NTLM", "AAAA"), ("Basic", "AAAA")] {
            #expect(ServerMessage(scheme: scheme, token68: text) == nil)
        }
    }
}
