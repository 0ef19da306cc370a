/// Who may pass with a name and a password.
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
