internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNegotiate
internal import ProctorReference

extension Breakage {
    /// Wrong tokens of Negotiate (RFC 4178), a right one on a wrong connection, and a wrong one that is believed (RFC 4559
    /// §5, §6).
    static let negotiate: [Breakage] = [
        .tokens("negotiate-proof-of-zeros", "prove nothing by the stub mechanism", finds: .wrongResponse) { message in
            message.changeToken { token in
                let zeros = [UInt8](repeating: 0, count: StubMessage.proofByteCount)
                switch try? StubMessage(token) {
                case .first(var first)?:
                    first.proof = zeros
                    token = StubMessage.first(first).bytes
                case .answer?: token = StubMessage.answer(proof: zeros).bytes
                case .challenge?, .last?, nil: break
                }
            }
        },
        .tokens("negotiate-mic-of-zeros", "send zeros as mechListMIC", finds: .wrongMIC) { message in
            guard case .response(var response) = message, response.mic != nil else { return }
            response.mic = [UInt8](repeating: 0, count: StubMessage.proofByteCount)
            message = .response(response)
        },
        .tokens("negotiate-kerberos-alone", "offer Kerberos alone within Negotiate", finds: .wrongMechanism) {
            guard case .initial(let first) = $0 else { return }
            $0 = .initial(NegTokenInit(mechanisms: [.kerberos], token: first.token))
        },
        .fields("negotiate-cut-token", "leave the last byte of each token of Negotiate out", finds: .malformedMessage) {
            Array($0.dropLast())
        },
        .actions(
            "negotiate-on-another-connection", "send a later token of Negotiate on a new connection",
            finds: .wrongConnection, keeping: ()
        ) { actions, _, _, _ in
            actions.map { action in
                guard case .send(let request, _) = action, case .response? = request.token else { return action }
                return .send(request, onNewConnection: true)
            }
        },
        .setting("negotiate-any-server", "believe the last token of any server") { $0.believesAnyServer = true },
    ]

    /// `change` gets each token of Negotiate that is one of SPNEGO.
    private static func tokens(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ message: inout SPNEGOMessage) -> Void
    ) -> Breakage {
        fields(label, name, finds: fault) { bytes in
            guard var message = SPNEGOReader.read(bytes).message else { return bytes }
            change(&message)
            return SPNEGOWriter.bytes(of: message)
        }
    }

    /// `change` returns the bytes of each token of Negotiate.
    private static func fields(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) -> Breakage {
        sending(label, name, finds: fault, keeping: ()) { request, _ in
            for (field, bytes) in request.tokensOfNegotiate {
                request.fields.set(field, to: "Negotiate \(Base64Text.encode(change(bytes)))")
            }
        }
    }
}

extension SPNEGOMessage {
    /// `change` gets the token of the mechanism, where there is one.
    fileprivate mutating func changeToken(_ change: (_ token: inout [UInt8]) -> Void) {
        switch self {
        case .initial(var message):
            guard var token = message.token else { return }
            change(&token)
            message.token = token
            self = .initial(message)
        case .response(var message):
            guard var token = message.token else { return }
            change(&token)
            message.token = token
            self = .response(message)
        case .bare: break
        }
    }
}

extension ClientRequest {
    /// The bytes of each token of Negotiate, by its field.
    fileprivate var tokensOfNegotiate: [(field: String, bytes: [UInt8])] {
        ["Authorization", "Proxy-Authorization"].compactMap { field in
            guard let value = fields.value(of: field), value.hasPrefix("Negotiate "),
                let bytes = try? Base64Text.decode(Array(value.dropFirst(10).utf8))
            else { return nil }
            return (field, bytes)
        }
    }

    fileprivate var token: SPNEGOMessage? { tokensOfNegotiate.first.flatMap { SPNEGOReader.read($0.bytes).message } }
}
