/// One way to authenticate that a server or proxy offers (RFC 9110 §11.3).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// As it was written; compare it with `isScheme(_:)`.
    public var scheme: String
    /// What follows the scheme where it is no parameters, as in `Negotiate YII=`.
    public var token68: String?
    /// In order; no name comes twice.
    public var parameters: [Parameter]

    /// A name and what it stands for.
    public struct Parameter: Sendable, Equatable {
        /// As it was written; names are compared without regard to ASCII case.
        public var name: String
        /// Without quotes and their escapes; any bytes.
        public var bytes: [UInt8]

        /// The parts as they are.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// UTF-8 or, where it is none, Latin-1.
        public var value: String { FieldText.decode(bytes) }
    }

    /// The parts as they are.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// Whether it is of this scheme, ASCII case aside (§11.1).
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// The value of a parameter.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// What is protected (§11.5); nil where the challenge has none, which Basic and Digest may not leave out.
    public var realm: String? { self["realm"] }
}
