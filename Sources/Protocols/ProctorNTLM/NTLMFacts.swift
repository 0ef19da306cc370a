internal import ProctorBase
package import ProctorHTTP

/// What a person and a case learn of a message.
package enum NTLMFacts {
    /// nil: the credential has no message that can be read, or the message has no such field.
    package static func text(_ name: String, of credentials: Credentials) -> String? {
        guard let token = credentials.token68, let bytes = try? Base64Text.decode(Array(token.utf8)),
            let message = NTLMReader.read(bytes).message
        else { return nil }
        return text(name, of: message)
    }

    private static func text(_ name: String, of message: NTLMMessage) -> String? {
        switch (name, message) {
        case ("ntlm-type", _): return "\(message.type)"
        case ("ntlm-flags", _): return message.flags.text
        case ("ntlm-domain", .negotiate(let message)): return message.domain
        case ("ntlm-domain", .authenticate(let message)): return message.domain
        case ("ntlm-workstation", .negotiate(let message)): return message.workstation
        case ("ntlm-workstation", .authenticate(let message)): return message.workstation
        case ("ntlm-user", .authenticate(let message)): return message.user
        case ("ntlm-response", .authenticate(let message)): return message.response.word
        case ("ntlm-lm-response", .authenticate(let message)):
            guard !message.lmResponse.isEmpty else { return "none" }
            return message.lmResponse.contains { $0 != 0 } ? "\(message.lmResponse.count) bytes" : "zeros"
        case ("ntlm-mic", .authenticate(let message)): return message.announcesMIC ? "announced" : "none"
        default: return nil
        }
    }

    /// Every field in one line; texts of the peer are quoted and cut after 100 characters.
    package static func sentence(_ message: NTLMMessage) -> String {
        let fields = MessageFactNames.ntlm.dropFirst().compactMap { name in
            text(name, of: message).map { text in
                let isText = ["ntlm-domain", "ntlm-user", "ntlm-workstation"].contains(name)
                let words = name.dropFirst(5).split(separator: "-").joined(separator: " ")
                return "\(words) \(isText ? "\"\(PrintableText.sanitize(text, limit: 100))\"" : text)"
            }
        }
        return "type \(message.type): \(fields.joined(separator: ", "))"
    }
}

extension NTLMResponse {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .old: "version 1"
        case .new: "version 2"
        case .malformed: "malformed"
        }
    }
}

extension NTLMAuthenticate {
    fileprivate var announcesMIC: Bool {
        guard case .new(let response) = response else { return false }
        return (response.pairs[.flags]?.first ?? 0) & 2 != 0
    }
}
