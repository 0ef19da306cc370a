internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNTLM
internal import ProctorReference

extension FaultHook {
    /// Wrong messages of NTLM (MS-NLMP), and a right one on a wrong connection (MS-NTHT §1.3).
    static let ntlm: [String: FaultHook] = [
        "ntlm-proof-of-zeros": .last { message in
            guard case .new(var response) = message.response else { return }
            response.proof = [UInt8](repeating: 0, count: 16)
            message.response = .new(response)
        },
        "ntlm-version-1": .last {
            $0.response = .old([UInt8](repeating: 1, count: 24))
        },
        "ntlm-mic-of-zeros": .last {
            if $0.mic != nil { $0.mic = [UInt8](repeating: 0, count: 16) }
        },
        "ntlm-reserved-flag": .messages { message in
            guard case .negotiate(var first) = message else { return }
            first.flags.formUnion(NTLMFlags(rawValue: 8))
            message = .negotiate(first)
        },
        "ntlm-on-another-connection": .sendingElsewhere { $0.message?.type == 3 },
    ]

    /// `change` gets each last message of NTLM.
    private static func last(
        change: @escaping @Sendable (_ message: inout NTLMAuthenticate) -> Void
    ) -> FaultHook {
        messages { message in
            guard case .authenticate(var last) = message else { return }
            change(&last)
            message = .authenticate(last)
        }
    }

    /// `change` gets each message of NTLM.
    private static func messages(
        change: @escaping @Sendable (_ message: inout NTLMMessage) -> Void
    ) -> FaultHook {
        sending { request in
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
