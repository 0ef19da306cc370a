internal import ProctorHTTP

/// A Digest credential as the client writes it, to be written otherwise: no rule of its parameters is kept here.
struct DigestCredentialText {
    private var parameters: [Parameter]

    private struct Parameter {
        let name: String
        var value: String
        var isQuoted: Bool
    }

    /// Tokens where RFC 7616 §3.4 has them; `userhash` too.
    private static let unquoted: Set = ["algorithm", "qop", "nc", "userhash"]

    /// nil for a credential of another scheme.
    init?(_ value: String) {
        // Credentials are written like challenges (RFC 9110 §11.4).
        guard let credential = ChallengeReader([Array(value.utf8)]).challenges.first, credential.isScheme("Digest")
        else { return nil }
        parameters = credential.parameters.map {
            Parameter(name: $0.name, value: $0.value, isQuoted: !Self.unquoted.contains($0.name.lowercased()))
        }
    }

    /// nil leaves it out; what is not there is not added.
    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return }
            if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
        }
    }

    /// Puts it into quotes, where it is none of those that have them anyhow.
    mutating func quote(_ name: String) {
        for index in parameters.indices where parameters[index].name == name { parameters[index].isQuoted = true }
    }

    /// As it stands in the field.
    var text: String {
        "Digest "
            + parameters.map { $0.isQuoted ? "\($0.name)=\(Self.quoted($0.value))" : "\($0.name)=\($0.value)" }
            .joined(separator: ", ")
    }

    private static func quoted(_ value: String) -> String {
        var bytes: [UInt8] = []
        AuthenticationParameter.appendQuoted(value.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
