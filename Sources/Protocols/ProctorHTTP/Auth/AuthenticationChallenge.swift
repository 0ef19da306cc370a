import ProctorBase

/// One way to authenticate that a server or proxy offers (RFC 9110 §11.3).
package struct AuthenticationChallenge: Sendable, Equatable {
    /// The name in its received letter case; compare it with `isScheme(_:)`.
    package var scheme: String
    /// The text that follows the scheme in place of parameters, as in `Negotiate YII=`.
    package var token68: String?
    /// In the order of the field; a challenge read from a field has no name twice.
    package var parameters: [Parameter]

    package typealias Parameter = AuthenticationParameter

    package init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        (self.scheme, self.token68, self.parameters) = (scheme, token68, parameters)
    }

    /// Compares without regard to ASCII case (§11.1).
    package func isScheme(_ name: String) -> Bool { AuthenticationScanner.isSame(scheme, name) }

    package subscript(name: String) -> String? { parameters.first(named: name)?.value }

    package subscript(parameter name: String) -> AuthenticationParameter? { parameters.first(named: name) }

    /// The protection space (§11.5); nil if it is missing, which Basic and Digest forbid.
    package var realm: String? { self["realm"] }

    package var bytes: [UInt8] { AuthenticationScanner.written(scheme, token68, parameters: parameters) }

    package static func oneLine(_ challenges: [Self]) -> [UInt8] {
        Array(challenges.map(\.bytes).joined(separator: ", ".utf8))
    }
}

/// Reads the challenges of all WWW-Authenticate or Proxy-Authenticate fields of a reply (RFC 9110 §11.6.1 and §11.7.1).
package struct ChallengeReader: Sendable {
    package let challenges: [AuthenticationChallenge]
    package let violations: [AuthenticationViolation]

    package init(_ values: [[UInt8]]) {
        var scanner = AuthenticationScanner(.challenges)
        for (number, value) in values.enumerated() { scanner.read(value, line: number) }
        challenges = scanner.elements.map {
            AuthenticationChallenge(scheme: $0.scheme, token68: $0.token68, parameters: $0.parameters)
        }
        violations = scanner.violations
    }
}

/// A name and a value in a challenge, a credential or Authentication-Info (RFC 9110 §11.2).
package struct AuthenticationParameter: Sendable {
    /// Compared without regard to ASCII case.
    package var name: String
    /// The value without quotes and escapes; any bytes.
    package var bytes: [UInt8]
    /// Whether the value is written as a quoted string; a value that is no token always is.
    package var isQuoted: Bool
    /// The offset of the name in the field's value, in bytes; 0 for a parameter that was not read from a field.
    package var offset: Int

    package init(name: String, bytes: [UInt8], isQuoted: Bool = true, offset: Int = 0) {
        (self.name, self.bytes, self.isQuoted, self.offset) = (name, bytes, isQuoted, offset)
    }

    /// Decoded as UTF-8, or as Latin-1 when the bytes are not UTF-8.
    package var value: String { FieldText.decode(bytes) }

    package func isNamed(_ other: String) -> Bool {
        AuthenticationScanner.isSame(name, other)
    }

    /// Writes a quoted string (RFC 9110 §5.6.4); controls other than HTAB become spaces (§5.5).
    package static func appendQuoted(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte.isControl && byte != .tab ? .space : byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    func append(to output: inout [UInt8]) {
        output += name.utf8
        output.append(UInt8(ascii: "="))
        if !isQuoted, !bytes.isEmpty, bytes.allSatisfy(\.isTokenByte) {
            output += bytes
            return
        }
        Self.appendQuoted(bytes, to: &output)
    }
}

extension AuthenticationParameter: Equatable {
    /// Compares everything but `offset`.
    package static func == (one: Self, other: Self) -> Bool {
        one.name == other.name && one.bytes == other.bytes && one.isQuoted == other.isQuoted
    }
}

extension [AuthenticationParameter] {
    func first(named name: String) -> AuthenticationParameter? { first { $0.isNamed(name) } }

    func append(to output: inout [UInt8]) {
        for (number, parameter) in enumerated() {
            if number > 0 { output += ", ".utf8 }
            parameter.append(to: &output)
        }
    }
}
