public import ProctorHTTP

/// A guard's judgement of one request (RFC 9110 §11).
public struct GuardVerdict: Sendable, Equatable {
    /// The guard's name in the scenario.
    public let guardName: String
    /// `Authorization`, or `Proxy-Authorization` for a guard of a proxy.
    public let field: String
    /// The number of credentials that this guard has judged in this run, this one included; 0 while none has come.
    public let attempt: Int
    /// The scheme as the client wrote it; nil where no credential came.
    public let scheme: String?
    /// The user of the credential; nil where it can't be read.
    public let user: String?
    /// The nonce count of Digest; nil where there is none or it can't be read.
    public let nonceCount: UInt32?
    /// The fields of a message of NTLM or Negotiate, in one line; nil for another scheme, or where it can't be read.
    package let message: String?
    /// What the guard does next.
    public let outcome: Outcome
    /// What is wrong with the credential; empty where none came, or nothing is wrong with it.
    public let faults: [CredentialFault]
    /// Oddities of the credential for which no rule refuses it.
    public let remarks: [CredentialFault]

    /// What a guard does after its judgement.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The exchange's own reply is sent.
        case admitted
        /// No credential came; the guard asks for one.
        case challenged
        /// The credential is wrong; the guard asks for one again.
        case refused
        /// Only the age of the nonce is wrong; the guard sends a new one and says so.
        case stale
        /// The credential is one message of several; the guard sends its own next message.
        case continued
        /// The credential was wrong too often; the guard does not ask again.
        case gaveUp
    }

    package init(
        guardName: String, field: String, attempt: Int, scheme: String?, user: String?, nonceCount: UInt32?,
        message: String? = nil, outcome: Outcome, faults: [CredentialFault], remarks: [CredentialFault] = []
    ) {
        (self.guardName, self.field, self.attempt, self.scheme, self.user) = (guardName, field, attempt, scheme, user)
        (self.nonceCount, self.message, self.outcome, self.faults) = (nonceCount, message, outcome, faults)
        self.remarks = remarks
    }
}

extension GuardVerdict {
    /// A guard's name within a sentence: quoted where it is no identifier, such as the name of an unnamed guard.
    package static func shown(_ name: String) -> String {
        let isIdentifier = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isIdentifier ? name : #""\#(name)""#
    }
}
