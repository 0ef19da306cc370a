internal import ProctorReference

/// What only the handshake shows: who is trusted, who the client says it is, and what it offers.
extension BrokenWire {
    static let security: [BrokenWire] = [
        secured("every-server-is-trusted", "trust every server, and ask nobody", .trustsEverybody),
        secured("no-client-certificate", "show no certificate, and ask nobody which", .showsNoCertificate),
        secured("old-tls-alone", "offer nothing newer than TLS 1.1", .offersOldVersions),
        secured("no-session-is-resumed", "begin every connection by a full handshake", .keepsNoSessions),
    ]

    private static func secured(_ label: String, _ name: String, _ fault: ReferenceSecurity.Fault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.securityFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }
}

/// Keeps the answer to a certificate until the same question was answered a second time.
struct HeldAnswer: Sendable {
    private var challenge: LoadChallenge?
    private var answer: LoadAction?

    mutating func filter(_ actions: [LoadAction], after event: LoadEvent) -> [LoadAction] {
        for case .tell(.challenge(let challenge)) in actions where challenge.trust != nil { self.challenge = challenge }
        guard case .challengeAnswered = event else { return actions }
        // The loader does not wait for the second answer.
        if let answer, actions.isEmpty {
            self.answer = nil
            return [answer]
        }
        guard let challenge, case .answerHandshake? = actions.first else { return actions }
        answer = actions.first
        self.challenge = nil
        return [.tell(.challenge(challenge))]
    }
}
