internal import ProctorBase
package import ProctorHTTP
internal import ProctorNTLM

/// What a person and a case learn of a message of NTLM or of a token of Negotiate.
package enum MessageFacts {
    /// The value of a fact such as `ntlm-user`; nil: the credential has no message that can be read, or no such field.
    ///
    /// The facts of NTLM are those of a message inside Negotiate, too.
    package static func text(_ name: String, of credentials: Credentials) -> String? {
        guard let token = credentials.token68, let bytes = try? Base64Text.decode(Array(token.utf8)) else { return nil }
        guard credentials.isScheme("Negotiate") else { return NTLMFacts.text(name, of: credentials) }
        let parts = Parts(bytes)
        guard MessageFactNames.ntlm.contains(name) else { return parts.text(name) }
        let inner = Credentials(scheme: "NTLM", token68: parts.inner.map { Base64Text.encode($0) })
        return NTLMFacts.text(name, of: inner)
    }

    /// Every field in one line, where texts of the peer are cut after 100 characters; nil: the token can't be read.
    static func sentence(ofNegotiate bytes: [UInt8]) -> String? {
        let parts = Parts(bytes)
        let fields = MessageFactNames.negotiate.compactMap { name in
            parts.text(name).map { text in
                let words = name.dropFirst(10).split(separator: "-").joined(separator: " ")
                return "\(words) \(PrintableText.sanitize(text, limit: 100))"
            }
        }
        guard !fields.isEmpty else { return nil }
        let ntlm = parts.inner.flatMap { NTLMReader.read($0).message }.map { ["NTLM " + NTLMFacts.sentence($0)] }
        return (fields + (ntlm ?? [])).joined(separator: ", ")
    }

    private struct Parts {
        private let message: SPNEGOMessage?
        private let stub: StubMessage?
        /// The mechanism's own message.
        let inner: [UInt8]?

        init(_ bytes: [UInt8]) {
            if bytes.starts(with: Array("NTLMSSP".utf8)) {
                (message, inner) = (nil, bytes)
            } else {
                message = SPNEGOReader.read(bytes).message
                inner =
                    switch message {
                    case .initial(let message): message.token
                    case .response(let message): message.token
                    case .bare, nil: nil
                    }
            }
            stub = inner.flatMap { try? StubMessage($0) }
        }

        func text(_ name: String) -> String? {
            switch (name, message) {
            case ("negotiate-form", .initial): return "init"
            case ("negotiate-form", .response): return "response"
            case ("negotiate-form", .bare(let mechanism)): return mechanism.name
            case ("negotiate-form", nil): return inner == nil ? nil : "ntlm"
            case ("negotiate-mechanisms", .initial(let message)):
                return message.mechanisms.map(\.name).joined(separator: ", ")
            case ("negotiate-state", .response(let message)): return message.state?.name
            case ("negotiate-mic", .initial(let message)): return message.mic == nil ? "none" : "sent"
            case ("negotiate-mic", .response(let message)): return message.mic == nil ? "none" : "sent"
            case ("negotiate-leg", _): return stub.map { "\($0.leg)" }
            case ("negotiate-user", _): return first?.user
            case ("negotiate-target", _): return first?.target
            default: return nil
            }
        }

        private var first: StubFirst? { if case .first(let message)? = stub { message } else { nil } }
    }
}
