import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorNTLM

@testable import ProctorNegotiate

extension ReaderRunner {
    static let negotiate: [String: DataReader] = [
        // A token in hexadecimal, as `ntlm` has it.
        "spnego": .text { text, _ in
            let input = try ChangedBytes.bytes(text)
            let reading = SPNEGOReader.read(input)
            var lines: [String] = []
            if let message = reading.message {
                lines += SPNEGOLines.lines(message)
                let written = SPNEGOWriter.bytes(of: message)
                if reading.violations.isEmpty {
                    if written != input { lines.append("written as \(written.hexadecimal)") }
                    let longer = SPNEGOReader.read(input + [0, 1, 2])
                    if longer.message != message || longer.violations.map(\.kind) != [.trailingBytes] {
                        lines.append("other with bytes behind it: \(longer)")
                    }
                    for count in 0..<input.count where SPNEGOReader.read(Array(input.prefix(count))).message != nil {
                        lines.append("the first \(count) bytes are a token too")
                    }
                }
            }
            lines += reading.violations.map {
                PlacedText.line($0.kind, $0.offset, isFatal: $0.isFatal, $0.section, $0.sentence)
            }
            for part in [input] + ChangedBytes.beginningsAndFlips(of: input) {
                let reading = SPNEGOReader.read(part)
                let isSound =
                    (reading.message == nil) == reading.violations.contains(where: \.isFatal)
                    && reading.violations.count <= SPNEGOReader.violationLimit + 1
                    && reading.violations.allSatisfy { $0.offset <= part.count && !$0.sentence.isEmpty }
                if !isSound { lines.append("of \(part.hexadecimal): \(reading)") }
            }
            return lines
        },
        // What a journal says of a token.
        "spnego-facts": .text { text, _ in
            [MessageFacts.sentence(ofNegotiate: try ChangedBytes.bytes(text)) ?? "none"]
        },
        // The bytes of an object identifier.
        "mechanism": .text { text, _ in [MechanismID(try ChangedBytes.bytes(text))?.name ?? "none"] },
        // A message of the stub mechanism, of which no beginning is a message.
        "stub-message": .text { text, _ in
            let input = try ChangedBytes.bytes(text)
            func read(_ bytes: [UInt8]) -> Result<StubMessage, SPNEGOViolation> {
                do throws(SPNEGOViolation) { return .success(try StubMessage(bytes)) } catch { return .failure(error) }
            }
            var lines: [String]
            switch read(input) {
            case .success(let message):
                lines = [ValueText.text(message)]
                if message.bytes != input { lines.append("written as \(message.bytes.hexadecimal)") }
            case .failure(let violation):
                return ["refused \(violation.kind.rawValue) at \(violation.offset): \(violation.sentence)"]
            }
            for part in ChangedBytes.beginningsAndFlips(of: input) {
                let reading = read(part)
                if reading == read(input) { lines.append("the same as \(part.hexadecimal)") }
                if case .success = reading, part.count < input.count { lines.append("\(part.count) bytes are read") }
            }
            return lines
        },
        // `SCHEME TOKEN` of a challenge; a minus sign is no token.
        "server-message": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 2 else { throw TextError("expected SCHEME TOKEN") }
            switch ServerMessage(scheme: words[0], token68: words[1] == "none" ? nil : words[1]) {
            case nil: return "unreadable"
            case .negotiate(nil)?: return "Negotiate begins"
            case .negotiate(let token?)?:
                return "Negotiate goes on; " + SPNEGOLines.lines(.response(token)).joined(separator: ", ")
            case .ntlm(nil)?: return "NTLM begins"
            case .ntlm?: return "NTLM goes on"
            }
        },
        // Both ends, told in the judgements of the server; words stand for what is not usual: see `Negotiation`.
        "negotiation": .whole { input, block in try Negotiation(Parts.text(input)).lines() },
    ]
}

private enum SPNEGOLines {
    static func lines(_ message: SPNEGOMessage) -> [String] {
        switch message {
        case .bare(let mechanism): return ["bare \(mechanism.name)"]
        case .initial(let token):
            let names = token.mechanisms.map(\.name).counted.joined(separator: ", ")
            return ["init \(names)"] + parts(token.token, token.mic)
        case .response(let token):
            let state = token.state.map { " \($0.name)" } ?? ""
            return ["response\(state)"] + (token.mechanism.map { ["selects \($0.name)"] } ?? [])
                + parts(token.token, token.mic)
        }
    }

    private static func parts(_ token: [UInt8]?, _ mic: [UInt8]?) -> [String] {
        (token.map { ["token \(ByteText.inLine($0))"] } ?? []) + (mic.map { ["MIC \(ByteText.inLine($0))"] } ?? [])
    }
}

/// A client and a server that negotiate without a wire.
///
/// Words: `client stub,ntlm`, `server stub,ntlm`, `legs N`, `user U`, `password P`, `proof wrong` or `none` (of the server),
/// `forged-list` (somebody takes another mechanism into it), `mic-taken-away`, `bare-ntlm` (without SPNEGO), `unbound` (the
/// second token comes on another connection), `token HEX` (of the client), `reply HEX` (of the server to the first token).
private struct Negotiation {
    private let words: [String]
    private let judge: NegotiateJudge

    init(_ text: String) throws {
        let words = text.split(separator: " ").map(String.init)
        self.words = words
        func mechanisms(_ name: String) -> [NegotiateMechanism] {
            (Self.value(name, words) ?? "stub").split(separator: ",").compactMap {
                NegotiateMechanism(rawValue: String($0))
            }
        }
        let proof: NegotiateJudge.Offer.Proof =
            switch Self.value("proof", words) {
            case "wrong": .wrong
            case "none": .none
            default: .right
            }
        judge = NegotiateJudge(
            NegotiateJudge.Offer(
                mechanisms: mechanisms("server"), ntlm: NTLMExchange.Offer(target: "LAB"),
                stubLegs: Self.value("legs", words).flatMap { Int($0) } ?? 3, proof: proof),
            accounts: [CredentialAccount(user: "user", password: "pass")])
        client = mechanisms("client")
    }

    private let client: [NegotiateMechanism]

    private static func value(_ name: String, _ words: [String]) -> String? {
        words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }

    private func value(_ name: String) -> String? { Self.value(name, words) }
    private var user: String { value("user") ?? "user" }
    private var password: String { value("password") ?? "pass" }

    func lines() throws -> [String] {
        if let hex = value("token") {
            return [told(judge.judge(try ByteText.hexadecimal(hex[...]), after: nil))]
        }
        if words.contains("bare-ntlm") { return bareNTLM() }
        var session = NegotiateSession(mechanisms: client)
        if let hex = value("reply") {
            _ = session.nextToken(user: user, password: password, host: "a")
            guard case .response(let token)? = SPNEGOReader.read(try ByteText.hexadecimal(hex[...])).message else {
                throw TextError("no response of a server")
            }
            session.receive(token)
            let next = session.nextToken(user: user, password: password, host: "a")
            return [next == nil && !session.isBound ? "the client ends" : "the client goes on"]
        }
        var lines: [String] = []
        var last: NegotiateJudge.Judgement?
        while lines.count < 10, var token = session.nextToken(user: user, password: password, host: "lab.test") {
            change(&token, lines.count)
            let judgement = judge.judge(token, after: words.contains("unbound") ? nil : last?.exchange)
            lines.append(told(judgement))
            last = judgement
            guard let reply = judgement.reply, case .response(let read)? = SPNEGOReader.read(reply).message else {
                break
            }
            session.receive(read)
        }
        guard let closing = last?.closing else { return lines + ["no closing token"] }
        guard case .response(let token)? = SPNEGOReader.read(closing).message else { return lines + ["no token"] }
        return lines + [
            session.contradiction(in: token, password: password) ?? "the server's proof is right or missing"
        ]
    }

    private func bareNTLM() -> [String] {
        var session = NTLMSession()
        let first = judge.judge(session.nextMessage(user: user, password: password) ?? [], after: nil)
        session.receive(NTLMServerToken(message: first.reply ?? []))
        guard first.faults.isEmpty else { return [told(first)] }
        let last = judge.judge(session.nextMessage(user: user, password: password) ?? [], after: first.exchange)
        return [told(first), told(last)] + (last.closing == nil ? ["no closing token"] : [])
    }

    private func change(_ token: inout [UInt8], _ index: Int) {
        switch SPNEGOReader.read(token).message {
        case .initial(let message)? where index == 0 && words.contains("forged-list"):
            token = SPNEGOWriter.bytes(
                of: .initial(NegTokenInit(mechanisms: [.kerberos, .stub], token: message.token)))
        case .response(var message)? where index == 2 && words.contains("mic-taken-away"):
            message.mic = nil
            token = SPNEGOWriter.bytes(of: .response(message))
        default: break
        }
    }

    private func told(_ judgement: NegotiateJudge.Judgement) -> String {
        let faults = (judgement.faults + judgement.remarks).map { "\($0.kind.rawValue): \($0.sentence)" }
        let outcome = judgement.isAdmitted ? "admitted" : judgement.reply != nil ? "goes on" : "refused"
        return
            ([outcome] + (judgement.user.map { ["user \($0)"] } ?? []) + faults
            + (judgement.text == nil ? ["without a text"] : [])
            + (outcome == "goes on" && judgement.exchange == nil ? ["without an exchange"] : []))
            .joined(separator: ", ")
    }
}
