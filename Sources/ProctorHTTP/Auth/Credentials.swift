/// The value of Authorization or Proxy-Authorization (RFC 9110 §11.4): a scheme with a token68 or with parameters.
///
/// Any bytes can be read; what is wrong with them stands in the violations.
public struct Credentials: Sendable, Equatable {
    /// As it was written; empty where the value does not begin with one.
    public var scheme: String
    /// What follows the scheme where it is no parameters.
    public var token68: String?
    /// In order; of those that come twice only the first.
    public var parameters: [AuthenticationParameter]
    /// In the order of the value.
    public let violations: [AuthenticationViolation]
    /// All behind the scheme and the blanks there, as it came; empty in one that was not read.
    public let rest: [UInt8]

    /// Reads a field's value; never fails.
    public init(_ value: [UInt8]) {
        var scanner = AuthenticationScanner(.credentials)
        scanner.read(value, line: 0)
        violations = scanner.violations
        let element = scanner.elements.first
        scheme = element?.scheme ?? ""
        token68 = element?.token68
        parameters = element?.parameters ?? []
        var cursor = FieldCursor(value)
        cursor.index += element?.schemeEnd ?? 0
        cursor.skipBlanks()
        var end = value.endIndex
        while end > cursor.index, value[end - 1].isBlank { end -= 1 }
        rest = cursor.index < end ? Array(value[cursor.index..<end]) : []
    }

    /// A credential to be written.
    public init(scheme: String, token68: String? = nil, parameters: [AuthenticationParameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
        violations = []
        rest = []
    }

    /// Whether it is of this scheme, ASCII case aside (RFC 9110 §11.1).
    public func isScheme(_ name: String) -> Bool { AuthenticationScanner.isSame(scheme, name) }

    /// The value of a parameter as text.
    public subscript(name: String) -> String? { parameters.first(named: name)?.value }

    /// A parameter with the way it was written.
    public subscript(parameter name: String) -> AuthenticationParameter? { parameters.first(named: name) }

    /// As it stands in the field.
    public var bytes: [UInt8] { AuthenticationScanner.written(scheme, token68, parameters: parameters) }

    /// What is wrong with the grammar, as faults of the credential; at most the first eight.
    var grammarFaults: [CredentialFault] {
        violations.prefix(8).map { violation in
            CredentialFault(
                violation.kind == .duplicateParameter ? .duplicateParameter : .malformedField,
                "at byte \(violation.offset): \(violation.sentence)", section: violation.section)
        }
    }
}

/// An account: a user and the password.
public struct CredentialAccount: Sendable, Equatable {
    /// May be empty.
    public let user: String
    /// May be empty; stands in no sentence.
    public let password: String

    /// The parts as they are.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// What a credential is worth.
public struct CredentialJudgement: Sendable, Equatable {
    /// As the credential has it; nil where none can be read.
    public var user: String?
    /// Of the accounts that were given; nil where there is none for the user.
    public var accountIndex: Int?
    /// Why it is refused, in the order of the credential; empty: it is admitted.
    public var faults: [CredentialFault] = []
    /// What is odd and refused by no rule.
    public var remarks: [CredentialFault] = []

    /// Whether nothing is wrong with it.
    public var isAdmitted: Bool { faults.isEmpty }
}
