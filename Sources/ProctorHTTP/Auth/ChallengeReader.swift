/// Reads the challenges of all WWW-Authenticate or Proxy-Authenticate fields of a reply (RFC 9110 §11.6.1 and §11.7.1).
public struct ChallengeReader: Sendable {
    /// In order of the fields and within them.
    public let challenges: [AuthenticationChallenge]
    /// In the same order.
    public let violations: [AuthenticationViolation]

    /// Reads the values, one of each field.
    public init(_ values: [[UInt8]]) {
        var scanner = AuthenticationScanner(.challenges)
        for (number, value) in values.enumerated() { scanner.read(value, line: number) }
        challenges = scanner.elements.map {
            AuthenticationChallenge(scheme: $0.scheme, token68: $0.token68, parameters: $0.parameters)
        }
        violations = scanner.violations
    }
}
