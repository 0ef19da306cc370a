/// What a server says of an authentication that succeeded: (Proxy-)Authentication-Info (RFC 9110 §11.6.3, RFC 7616 §3.5).
public struct AuthenticationInfo: Sendable, Equatable {
    /// In order, those of Digest and any other.
    public var parameters: [AuthenticationParameter]
    /// In the order of the fields; empty in one that was not read.
    public let violations: [AuthenticationViolation]

    /// Reads the values, one of each field; never fails.
    public init(_ values: [[UInt8]]) {
        var scanner = AuthenticationScanner(.parameters)
        for (number, value) in values.enumerated() { scanner.read(value, line: number) }
        parameters = scanner.elements.first?.parameters ?? []
        violations = scanner.violations
    }

    /// One to be written; what is nil is left out, and the quotes stand where RFC 7616 §3.5 wants them.
    public init(
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

    /// To be used for the next request in the place of the old nonce.
    public var nextNonce: [UInt8]? { parameters.first(named: "nextnonce")?.bytes }

    /// The server's proof that it knows the password, in hexadecimal digits.
    public var rspauth: [UInt8]? { parameters.first(named: "rspauth")?.bytes }

    /// What the proof covers; nil too where the name is not known.
    public var quality: QualityOfProtection? {
        parameters.first(named: "qop").flatMap { QualityOfProtection(rawValue: $0.value.lowercased()) }
    }

    /// The one of the request.
    public var clientNonce: [UInt8]? { parameters.first(named: "cnonce")?.bytes }

    /// The one of the request, eight hexadecimal digits.
    public var nonceCount: [UInt8]? { parameters.first(named: "nc")?.bytes }

    /// The value of the field.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        parameters.append(to: &output)
        return output
    }
}
