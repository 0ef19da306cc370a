/// (Proxy-)Authentication-Info of a reply (RFC 9110 §11.6.3, RFC 7616 §3.5).
package struct AuthenticationInfo: Sendable, Equatable {
    package var parameters: [AuthenticationParameter]
    /// Empty if the value was not read from fields.
    package let violations: [AuthenticationViolation]

    /// Reads one value for each field line; never fails.
    package init(_ values: [[UInt8]]) {
        var scanner = AuthenticationScanner(.parameters)
        for (number, value) in values.enumerated() { scanner.read(value, line: number) }
        parameters = scanner.elements.first?.parameters ?? []
        violations = scanner.violations
    }

    /// For writing: a parameter that is nil is left out; values are quoted if RFC 7616 §3.5 requires it.
    package init(
        nextNonce: [UInt8]? = nil, rspauth: [UInt8]? = nil, quality: QualityOfProtection? = nil,
        clientNonce: [UInt8]? = nil, nonceCount: [UInt8]? = nil
    ) {
        let all: [(name: String, bytes: [UInt8]?, isQuoted: Bool)] = [
            ("nextnonce", nextNonce, true), ("qop", quality.map { Array($0.rawValue.utf8) }, false),
            ("rspauth", rspauth, true), ("cnonce", clientNonce, true), ("nc", nonceCount, false),
        ]
        parameters = all.compactMap { part in
            part.bytes.map { AuthenticationParameter(name: part.name, bytes: $0, isQuoted: part.isQuoted) }
        }
        violations = []
    }

    package var nextNonce: [UInt8]? { parameters.first(named: "nextnonce")?.bytes }

    /// The server's proof that it knows the secret, in hexadecimal digits.
    package var rspauth: [UInt8]? { parameters.first(named: "rspauth")?.bytes }

    /// What the proof covers; nil if `qop` is missing or its value unknown.
    package var quality: QualityOfProtection? {
        parameters.first(named: "qop").flatMap { QualityOfProtection(rawValue: $0.value.lowercased()) }
    }

    package var clientNonce: [UInt8]? { parameters.first(named: "cnonce")?.bytes }

    package var nonceCount: [UInt8]? { parameters.first(named: "nc")?.bytes }

    package var bytes: [UInt8] {
        var output: [UInt8] = []
        parameters.append(to: &output)
        return output
    }
}
