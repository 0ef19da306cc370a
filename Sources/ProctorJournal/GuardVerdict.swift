public import ProctorHTTP

/// What a guard made of one request (RFC 9110 §11).
public struct GuardVerdict: Sendable, Equatable {
    /// The guard's name in the scenario.
    public let guardName: String
    /// `Authorization`, or `Proxy-Authorization` for a guard of a proxy.
    public let field: String
    /// Credentials that this guard has judged in this run, this one included; 0 while none has come.
    public let attempt: Int
    /// The scheme as the client wrote it; nil where no credential came.
    public let scheme: String?
    /// The user of the credential; nil where that can't be told.
    public let user: String?
    /// The nonce count of Digest; nil where there is none that can be read.
    public let nonceCount: UInt32?
    /// What follows from the verdict.
    public let outcome: Outcome
    /// What is wrong with the credential; empty where none came, or nothing is wrong with it.
    public let faults: [CredentialFault]
    /// What is odd about the credential and refused by no rule.
    public let remarks: [CredentialFault]

    /// What follows from a verdict.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The exchange's own reply is played.
        case admitted
        /// No credential came; the guard asks for one.
        case challenged
        /// The credential is wrong; the guard asks again.
        case refused
        /// Nothing is wrong with it but the age of the nonce; the guard gives a fresh one and says so.
        case stale
        /// A message of several; the guard sends its own next one.
        case continued
        /// Wrong too often; the guard asks no more.
        case gaveUp
    }

    /// The parts as they are.
    public init(
        guardName: String, field: String, attempt: Int, scheme: String?, user: String?, nonceCount: UInt32?,
        outcome: Outcome, faults: [CredentialFault], remarks: [CredentialFault] = []
    ) {
        self.guardName = guardName
        self.field = field
        self.attempt = attempt
        self.scheme = scheme
        self.user = user
        self.nonceCount = nonceCount
        self.outcome = outcome
        self.faults = faults
        self.remarks = remarks
    }
}

extension GuardVerdict {
    /// A guard's name within a sentence: in quotes where it is no identifier, as that of a guard without one.
    package static func shown(_ name: String) -> String {
        let isIdentifier = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isIdentifier ? name : "\"\(name)\""
    }
}
