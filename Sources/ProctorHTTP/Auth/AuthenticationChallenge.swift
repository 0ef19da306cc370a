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
    public var bytes: [UInt8] { AuthenticationScanner.written(scheme, token68, parameters) }

    /// Several challenges as the value of one field (§11.6.1).
    public static func oneLine(_ challenges: [Self]) -> [UInt8] {
        Array(challenges.map(\.bytes).joined(separator: ", ".utf8))
    }
}
