public import ProctorHTTP

/// A bound of a run that its client has reached; what comes beyond it is refused.
public struct ReachedBound: Sendable, Equatable {
    /// What the bound counts.
    public let kind: Kind
    /// How many have come, which is the bound.
    public let count: Int
    /// The guard whose refusals are counted; nil for the other kinds.
    public let guardName: String?
    /// What was wrong with the last credential; nil for the other kinds, and where the credential was only too old.
    public let fault: CredentialFault?

    /// What a bound counts.
    public enum Kind: String, Sendable, CaseIterable {
        /// All requests of the run.
        case requests
        /// All connections of the run.
        case connections
        /// Credentials that one guard has refused in a row.
        case refusals
    }

    /// The last two are for refusals.
    public init(_ kind: Kind, count: Int, guardName: String? = nil, fault: CredentialFault? = nil) {
        self.kind = kind
        self.count = count
        self.guardName = guardName
        self.fault = fault
    }

    /// What the client does, for a person.
    public var sentence: String {
        switch kind {
        case .requests: "the client repeats requests without end: \(count) have come, and no more are answered"
        case .connections: "the client connects without end: \(count) connections have come, and no more are served"
        case .refusals:
            "the client repeats a refused credential without end: guard \(guardName ?? "?") has refused \(count) in a row"
                + (fault.map { ", the last one because \($0.sentence) (\($0.section))" } ?? "")
        }
    }
}
