internal import ProctorBase
internal import ProctorHTTP
internal import ProctorNegotiate
internal import ProctorReference

extension FaultHook {
    /// Wrong tokens of Negotiate (RFC 4178), and a right one on a wrong connection (RFC 4559 §6).
    static let negotiate: [String: FaultHook] = [
        "negotiate-proof-of-zeros": .tokens { message in
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
        "negotiate-mic-of-zeros": .tokens { message in
            guard case .response(var response) = message, response.mic != nil else { return }
            response.mic = [UInt8](repeating: 0, count: StubMessage.proofByteCount)
            message = .response(response)
        },
        "negotiate-kerberos-alone": .tokens {
            guard case .initial(let first) = $0 else { return }
            $0 = .initial(NegTokenInit(mechanisms: [.kerberos], token: first.token))
        },
        "negotiate-cut-token": .fields {
            Array($0.dropLast())
        },
        "negotiate-on-another-connection": .sendingElsewhere { if case .response? = $0.token { true } else { false } },
    ]

    /// `change` gets each token of Negotiate that is one of SPNEGO.
    private static func tokens(
        change: @escaping @Sendable (_ message: inout SPNEGOMessage) -> Void
    ) -> FaultHook {
        fields { bytes in
            guard var message = SPNEGOReader.read(bytes).message else { return bytes }
            change(&message)
            return SPNEGOWriter.bytes(of: message)
        }
    }

    /// `change` returns the bytes of each token of Negotiate.
    private static func fields(
        change: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) -> FaultHook {
        sending { request in
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
