public import ProctorHTTP
internal import ProctorReference

/// A way to send credentials or cookies wrongly, or to speak TLS wrongly, that no callback rule is broken by: what came over
/// the wire shows it, and of a credential a guard names it.
public struct BrokenWire: Sendable {
    /// What a guard finds in such a credential; nil: there is a credential, or a question, that should not be there, or it
    /// is none of a credential.
    public let fault: CredentialFault.Kind?
    /// What is done in the right thing's place.
    public let breakage: Breakage

    /// Every way, in the order of the code; each once.
    public static let all = digest + otherSchemes + places + security + routes + cookies + rewriting

    /// `change` is given each request before it is sent, and keeps what it wants to remember of one load.
    static func sending<Memory: Sendable>(
        _ label: String, _ name: String, says fault: CredentialFault.Kind?, keeping memory: Memory,
        _ change: @escaping @Sendable (_ request: inout ClientRequest, _ memory: inout Memory) -> Void
    ) -> BrokenWire {
        actions(label, name, says: fault, keeping: memory) { actions, _, _, memory in
            actions.map { action in
                guard case .send(var request, let onNewConnection) = action else { return action }
                change(&request, &memory)
                return .send(request, onNewConnection: onNewConnection)
            }
        }
    }

    /// `change` says what is done in place of all that came of an event.
    static func actions<Memory: Sendable>(
        _ label: String, _ name: String, says fault: CredentialFault.Kind?, keeping memory: Memory,
        _ change: @escaping ActionChange<Memory>.Change
    ) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.makeActionFilter = { ActionChange(memory: memory, change: change) }
        return BrokenWire(fault: fault, breakage: breakage)
    }

    /// `change` is given the value of each Authorization field of a scheme.
    static func credential(
        _ label: String, _ name: String, of scheme: String, says fault: CredentialFault.Kind,
        _ change: @escaping @Sendable (_ value: String) -> String
    ) -> BrokenWire {
        sending(label, name, says: fault, keeping: ()) { request, _ in
            guard let value = request.fields.value(of: "Authorization"),
                value.lowercased().hasPrefix("\(scheme) ")
            else { return }
            request.fields.set("Authorization", to: change(value))
        }
    }
}
