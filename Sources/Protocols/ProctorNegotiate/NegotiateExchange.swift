internal import ProctorNTLM

/// What a server has to know of a connection between two tokens of Negotiate.
package struct NegotiateExchange: Sendable, Equatable {
    let form: Form
    let mechanism: NegotiateMechanism
    /// The encoding of the client's list of mechanisms; empty for NTLM without SPNEGO.
    let listBytes: [UInt8]
    /// Whether the client has to protect its list by a MIC, since its first mechanism was not selected (RFC 4178 §5).
    let needsMIC: Bool
    /// Whether the client was told which mechanism is selected.
    var isSelected = false
    /// The challenge of NTLM that waits for its answer.
    var ntlm: NTLMExchange?
    /// The messages of the stub mechanism until now, and whose they are.
    var stub: (transcript: StubTranscript, account: Int)?

    enum Form: Sendable, Equatable { case spnego, ntlm }

    package static func == (one: NegotiateExchange, other: NegotiateExchange) -> Bool {
        one.form == other.form && one.mechanism == other.mechanism && one.listBytes == other.listBytes
            && one.needsMIC == other.needsMIC && one.isSelected == other.isSelected && one.ntlm == other.ntlm
            && one.stub?.transcript == other.stub?.transcript && one.stub?.account == other.stub?.account
    }
}

/// What Proctor knows to authenticate by within Negotiate.
package enum NegotiateMechanism: String, Sendable, CaseIterable {
    case ntlm, stub

    package var identifier: MechanismID {
        switch self {
        case .ntlm: .ntlm
        case .stub: .stub
        }
    }

    init?(_ identifier: MechanismID) {
        guard let known = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = known
    }
}
