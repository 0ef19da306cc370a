internal import ProctorHTTP
internal import ProctorScenario

/// One challenge as its guard writes it, with holes for what each refusal says anew (RFC 9110 §11.6.1).
struct ChallengeText: Sendable {
    /// `Digest`, or all of it where the fixture wrote it.
    private let scheme: [UInt8]
    private var parameters: [Parameter]

    /// What stands behind a parameter's `=`.
    enum Value: Sendable {
        /// Byte for byte, quotes and all.
        case raw([UInt8])
        /// Quoted.
        case nonce
        /// URIs, bound late and quoted together.
        case uris([Template])
        /// What the refusal has to say, quoted; the parameter is left out where it has nothing.
        case error, errorDescription
        /// `true`; left out where the nonce was not too old.
        case stale
    }

    struct Parameter: Sendable {
        let name: [UInt8]
        var value: Value
    }

    /// What a refusal fills in.
    struct Filling {
        /// Of this challenge; empty where it needs none.
        var nonce: [UInt8] = []
        var isStale = false
        var error: TokenError?
    }

    /// Why a token was not taken (RFC 6750 §3.1).
    struct TokenError: Equatable {
        let code: BearerError
        /// What it may hold is up to its maker.
        let description: [UInt8]
    }

    /// Without parameters it is the scheme alone.
    init(scheme: String, _ parameters: [(name: String, value: Value)] = []) {
        self.scheme = Array(scheme.utf8)
        self.parameters = parameters.map { Parameter(name: Array($0.name.utf8), value: $0.value) }
    }

    /// Writes parameters otherwise than they would be; one that is not there is added at the end.
    mutating func apply(_ overrides: [Guard.ParameterOverride]) {
        for override in overrides {
            let index = parameters.firstIndex {
                String(decoding: $0.name, as: UTF8.self).lowercased() == override.name.lowercased()
            }
            switch (index, override.raw) {
            case (let index?, let raw?): parameters[index].value = .raw(Array(raw.utf8))
            case (let index?, nil): parameters.remove(at: index)
            case (nil, let raw?):
                parameters.append(Parameter(name: Array(override.name.utf8), value: .raw(Array(raw.utf8))))
            case (nil, nil): break
            }
        }
    }

    /// The whole challenge; `bind` gives the text of a URI.
    func bytes(_ filling: Filling, _ bind: (Template) -> [UInt8]) -> [UInt8] {
        var bytes = scheme
        var separator: [UInt8] = [UInt8(ascii: " ")]
        for parameter in parameters {
            guard let value = value(parameter.value, filling, bind) else { continue }
            bytes += separator
            bytes += parameter.name
            bytes.append(UInt8(ascii: "="))
            bytes += value
            separator = Array(", ".utf8)
        }
        return bytes
    }

    private func value(_ value: Value, _ filling: Filling, _ bind: (Template) -> [UInt8]) -> [UInt8]? {
        switch value {
        case .raw(let bytes): bytes
        case .nonce: Self.quoted(filling.nonce)
        case .uris(let uris): Self.quoted(Array(uris.map(bind).joined(separator: [UInt8(ascii: " ")])))
        case .error: filling.error.map { Self.quoted(Array($0.code.rawValue.utf8)) }
        case .errorDescription: filling.error.map { Self.quoted($0.description) }
        case .stale: filling.isStale ? Array("true".utf8) : nil
        }
    }

    /// A quoted-string (RFC 9110 §5.6.4).
    static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        AuthenticationParameter.appendQuoted(bytes, to: &result)
        return result
    }
}
