import ProctorBase

/// Compares Bearer tokens with those that are known (RFC 6750).
public struct BearerJudge: Sendable {
    private let tokens: [BearerToken]
    private let scopes: [String]
    private let places: Set<BearerPlace>

    /// A token has to have all the scopes, and to stand in one of the places.
    public init(tokens: [BearerToken], scopes: [String], places: Set<BearerPlace>) {
        self.tokens = tokens
        self.scopes = scopes
        self.places = places
    }

    /// Looks for tokens everywhere, even where none may stand, so that it can be said.
    public func judge(_ request: BearerRequest) -> BearerJudgement {
        var judgement = BearerJudgement()
        let found = collect(request, &judgement)
        guard let (place, token) = found.first else { return judgement }
        judgement.place = place
        if found.count > 1 {
            judgement.refuse(
                .invalidRequest, .tokenSentTwice,
                sentence:
                    "the token came \(found.count) times (\(found.map(\.0.sentence).joined(separator: ", "))); expected it once",
                section: "RFC 6750 §2")
        }
        if !places.contains(place) { judgement.refuse(place, allowed: places) }
        if place == .form, request.method.elementsEqual("GET".utf8) || request.method.elementsEqual("HEAD".utf8) {
            judgement.refuse(
                .invalidRequest, .malformedField,
                sentence:
                    "the token stands in the body of a \(EscapedText.of(request.method)) request, whose body means nothing",
                section: "RFC 6750 §2.2")
        }
        guard BearerText.isToken(token) else {
            judgement.refuse(
                .invalidRequest, .malformedToken,
                sentence:
                    "the token has \(token.count) bytes and is no b64token; expected letters, digits and -._~+/ with any "
                    + "number of = at the end", section: "RFC 6750 §2.1")
            return judgement
        }
        guard judgement.faults.isEmpty else { return judgement }
        compare(token, &judgement)
        return judgement
    }

    private func collect(_ request: BearerRequest, _ judgement: inout BearerJudgement) -> [(BearerPlace, [UInt8])] {
        var found: [(BearerPlace, [UInt8])] = []
        if let credentials = request.credentials {
            if credentials.isScheme("Bearer") {
                // A malformed one is shown whole to the check of its grammar.
                found.append((.header, credentials.token68.map { Array($0.utf8) } ?? credentials.rest))
                if credentials.token68 != nil {
                    for fault in credentials.grammarFaults { judgement.refuse(.invalidRequest, fault) }
                }
            } else {
                // No token, so no error either.
                judgement.faults.append(.wrongScheme(credentials, expected: "Bearer"))
            }
        }
        found += request.tokensOfForm.map { (.form, $0) }
        found += request.tokensOfQuery.map { (.query, $0) }
        return found
    }

    private func compare(_ token: [UInt8], _ judgement: inout BearerJudgement) {
        guard let index = tokens.firstIndex(where: { $0.text.utf8.elementsEqual(token) }) else {
            return judgement.refuse(
                .invalidToken, .unknownToken, sentence: "the token of \(token.count) bytes is not known",
                section: "RFC 6750 §3.1")
        }
        if tokens[index].isExpired {
            return judgement.refuse(
                .invalidToken, .expiredToken, sentence: "the token has expired; get a fresh one",
                section: "RFC 6750 §3.1")
        }
        let missing = scopes.filter { !tokens[index].scopes.contains($0) }
        guard missing.isEmpty else {
            return judgement.refuse(
                .insufficientScope, .insufficientScope,
                sentence: "the token lacks the scope \"\(missing.joined(separator: " "))\"; expected one with all of "
                    + "\"\(scopes.joined(separator: " "))\"", section: "RFC 6750 §3.1")
        }
    }

    /// What the challenge says beside its realm: the error if a token came (§3.1 forbids it else), and the scope.
    public func parameters(for judgement: BearerJudgement) -> [AuthenticationParameter] {
        var parameters: [AuthenticationParameter] = []
        if !scopes.isEmpty {
            parameters.append(
                AuthenticationParameter(name: "scope", bytes: Array(scopes.joined(separator: " ").utf8)))
        }
        guard judgement.hasToken, let error = judgement.error else { return parameters }
        parameters.append(AuthenticationParameter(name: "error", bytes: Array(error.rawValue.utf8)))
        if let fault = judgement.faults.first {
            parameters.append(
                AuthenticationParameter(name: "error_description", bytes: BearerText.description(fault.sentence)))
        }
        return parameters
    }
}

extension BearerPlace {
    fileprivate var sentence: String {
        switch self {
        case .header: "in the field"
        case .form: "in the form"
        case .query: "in the query"
        }
    }
}

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

    mutating func refuse(_ error: BearerError, _ kind: CredentialFault.Kind, sentence: String, section: String) {
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
        let wanted = "expected it in \(expected.joined(separator: " or "))"
        switch place {
        case .query:
            refuse(
                .invalidRequest, .tokenInQuery,
                sentence: "the token stands in the query, where logs and caches keep it; \(wanted)",
                section: "RFC 6750 §2.3")
        case .form:
            refuse(
                .invalidRequest, .malformedField, sentence: "the token stands in the form of the body; \(wanted)",
                section: "RFC 6750 §2.2"
            )
        case .header:
            refuse(
                .invalidRequest, .malformedField, sentence: "the token stands in the field; \(wanted)",
                section: "RFC 6750 §2.1")
        }
    }
}
