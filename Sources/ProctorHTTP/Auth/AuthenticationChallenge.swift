import ProctorBase

/// One way to authenticate that a server or proxy offers (RFC 9110 §11.3).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// As it was written; compare it with `isScheme(_:)`.
    public var scheme: String
    /// What follows the scheme where it is no parameters, as in `Negotiate YII=`.
    public var token68: String?
    /// In order; no name comes twice in one that was read.
    public var parameters: [Parameter]

    /// A name and what it stands for.
    public typealias Parameter = AuthenticationParameter

    /// The parts as they are.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// Whether it is of this scheme, ASCII case aside (§11.1).
    public func isScheme(_ name: String) -> Bool { AuthenticationScanner.isSame(scheme, name) }

    /// The value of a parameter.
    public subscript(name: String) -> String? { parameters.first(named: name)?.value }

    /// A parameter with the way it was written.
    public subscript(parameter name: String) -> AuthenticationParameter? { parameters.first(named: name) }

    /// What is protected (§11.5); nil where the challenge has none, which Basic and Digest may not leave out.
    public var realm: String? { self["realm"] }

    /// As it stands in WWW-Authenticate or Proxy-Authenticate.
    public var bytes: [UInt8] { AuthenticationScanner.written(scheme, token68, parameters: parameters) }

    /// Several challenges as the value of one field (§11.6.1).
    public static func oneLine(_ challenges: [Self]) -> [UInt8] {
        Array(challenges.map(\.bytes).joined(separator: ", ".utf8))
    }
}

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

/// A name and what it stands for, in a challenge, a credential or Authentication-Info (RFC 9110 §11.2).
public struct AuthenticationParameter: Sendable {
    /// As it was written; names are compared without regard to ASCII case.
    public var name: String
    /// Without quotes and their escapes; any bytes.
    public var bytes: [UInt8]
    /// Whether it was, or is to be, written as a quoted string; what is no token is always written so.
    public var isQuoted: Bool
    /// Of the name, in bytes from the start of the field's value; 0 for one that was not read.
    public var offset: Int

    /// The parts as they are.
    public init(name: String, bytes: [UInt8], isQuoted: Bool = true, offset: Int = 0) {
        self.name = name
        self.bytes = bytes
        self.isQuoted = isQuoted
        self.offset = offset
    }

    /// UTF-8 or, where it is none, Latin-1.
    public var value: String { FieldText.decode(bytes) }

    /// Whether it has this name, ASCII case aside.
    public func isNamed(_ other: String) -> Bool {
        AuthenticationScanner.isSame(name, other)
    }

    /// Text between quotation marks (RFC 9110 §5.6.4).
    ///
    /// Controls but the tab, which no quoted string can hold, become spaces (§5.5).
    public static func appendQuoted(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte.isControl && byte != .tab ? .space : byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends name, equals sign and value.
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
    /// The place in the field is no part of what a parameter says.
    public static func == (one: Self, other: Self) -> Bool {
        one.name == other.name && one.bytes == other.bytes && one.isQuoted == other.isQuoted
    }
}

extension [AuthenticationParameter] {
    /// The first of a name, ASCII case aside.
    func first(named name: String) -> AuthenticationParameter? { first { $0.isNamed(name) } }

    /// Appends all, parted by commas.
    func append(to output: inout [UInt8]) {
        for (number, parameter) in enumerated() {
            if number > 0 { output += ", ".utf8 }
            parameter.append(to: &output)
        }
    }
}
