internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorReference

extension Breakage {
    /// Wrong messages of NTLM (MS-NLMP), and a right one on a wrong connection (MS-NTHT §1.3).
    static let ntlm: [Breakage] = [
        .last("ntlm-proof-of-zeros", "compute nothing for NTLM", finds: .wrongResponse) { message in
            guard case .new(var response) = message.response else { return }
            response.proof = [UInt8](repeating: 0, count: 16)
            message.response = .new(response)
        },
        .last("ntlm-version-1", "answer NTLM with 24 bytes, as version 1 does", finds: .wrongAlgorithm) {
            $0.response = .old([UInt8](repeating: 1, count: 24))
        },
        .last("ntlm-mic-of-zeros", "announce a MIC of NTLM and leave zeros in its place", finds: .wrongMIC) {
            if $0.mic != nil { $0.mic = [UInt8](repeating: 0, count: 16) }
        },
        .messages("ntlm-reserved-flag", "set a reserved bit of the flags of NTLM", finds: .malformedMessage) {
            message in
            guard case .negotiate(var first) = message else { return }
            first.flags.formUnion(NTLMFlags(rawValue: 8))
            message = .negotiate(first)
        },
        .actions(
            "ntlm-on-another-connection", "send the last message of NTLM on a new connection",
            finds: .wrongConnection, keeping: ()
        ) { actions, _, _, _ in
            actions.map { action in
                guard case .send(let request, _) = action, request.message?.type == 3 else { return action }
                return .send(request, onNewConnection: true)
            }
        },
    ]

    /// `change` gets each last message of NTLM.
    private static func last(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ message: inout NTLMAuthenticate) -> Void
    ) -> Breakage {
        messages(label, name, finds: fault) { message in
            guard case .authenticate(var last) = message else { return }
            change(&last)
            message = .authenticate(last)
        }
    }

    /// `change` gets each message of NTLM.
    private static func messages(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ message: inout NTLMMessage) -> Void
    ) -> Breakage {
        sending(label, name, finds: fault, keeping: ()) { request, _ in
            guard var message = request.message else { return }
            change(&message)
            let token = Base64Text.encode(NTLMWriter.bytes(of: message))
            for field in ClientRequest.fieldsOfMessages where request.fields.value(of: field) != nil {
                request.fields.set(field, to: "NTLM \(token)")
            }
        }
    }
}

extension ClientRequest {
    fileprivate static let fieldsOfMessages = ["Authorization", "Proxy-Authorization"]

    /// The message of NTLM that the request carries.
    fileprivate var message: NTLMMessage? {
        let values = Self.fieldsOfMessages.compactMap { fields.value(of: $0) }
        guard let value = values.first(where: { $0.hasPrefix("NTLM ") }),
            let bytes = try? Base64Text.decode(Array(value.dropFirst(5).utf8))
        else { return nil }
        return NTLMReader.read(bytes).message
    }
}
