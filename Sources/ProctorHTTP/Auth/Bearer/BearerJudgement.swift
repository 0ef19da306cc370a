/// What a request is worth to which a Bearer token belongs.
public struct BearerJudgement: Sendable, Equatable {
    /// Where the first token stands; nil where none came.
    public internal(set) var place: BearerPlace?
    /// What the challenge says; nil where no token came, or nothing is wrong.
    public internal(set) var error: BearerError?
    /// Why it is refused; empty too where no credential came at all.
    public internal(set) var faults: [CredentialFault] = []

    init() {}

    /// Whether a token came.
    public var hasToken: Bool { place != nil }

    /// Whether a token came and nothing is wrong with it.
    public var isAdmitted: Bool { hasToken && faults.isEmpty }

    mutating func refuse(_ error: BearerError, _ fault: CredentialFault) {
        faults.append(fault)
        self.error = self.error ?? error
    }

    mutating func refuse(_ error: BearerError, _ kind: CredentialFault.Kind, _ sentence: String, _ section: String) {
        refuse(error, CredentialFault(kind, sentence, section: section))
    }

    /// A token in a place that the server does not take it from.
    mutating func refuse(_ place: BearerPlace, allowed: Set<BearerPlace>) {
        let expected = BearerPlace.allCases.filter(allowed.contains).map {
            switch $0 {
            case .header: "the field Authorization"
            case .form: "the form of the body"
            case .query: "the query"
            }
        }
        let wish = "expected it in \(expected.joined(separator: " or "))"
        switch place {
        case .query:
            refuse(
                .invalidRequest, .tokenInQuery, "the token stands in the query, where logs and caches keep it; \(wish)",
                "RFC 6750 §2.3")
        case .form:
            refuse(
                .invalidRequest, .malformedField, "the token stands in the form of the body; \(wish)", "RFC 6750 §2.2")
        case .header:
            refuse(.invalidRequest, .malformedField, "the token stands in the field; \(wish)", "RFC 6750 §2.1")
        }
    }
}
