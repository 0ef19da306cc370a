internal import ProctorBase
package import ProctorHTTP

package struct BearerJudge: Sendable {
    private let tokens: [BearerToken]
    private let scopes: [String]
    private let places: Set<BearerPlace>
    private let tolerated: Set<Departure>

    /// A token needs all of `scopes` and must be sent in one of `places`; a departure in `tolerated` gives a remark
    /// instead of a fault.
    package init(
        tokens: [BearerToken], scopes: [String], places: Set<BearerPlace>, tolerated: Set<Departure> = []
    ) {
        (self.tolerated, self.tokens, self.scopes, self.places) = (tolerated, tokens, scopes, places)
    }

    /// Looks for tokens in all places, so that a token in a forbidden place is reported.
    package func judge(_ request: BearerRequest, age: UInt64 = 0) -> BearerJudgement {
        var judgement = BearerJudgement()
        let sent = collect(request, &judgement)
        guard let (place, token) = sent.first else { return judgement }
        judgement.place = place
        if sent.count > 1 {
            let places = sent.map { "in the \($0.0.words.name)" }.joined(separator: ", ")
            judgement.refuse(
                .invalidRequest, .tokenSentTwice,
                sentence: "the token came \(sent.count) times (\(places)); expected it once", section: "RFC 6750 §2")
        }
        if !places.contains(place) { judgement.refusePlace(place, allowed: places) }
        if place == .form, request.method.elementsEqual("GET".utf8) || request.method.elementsEqual("HEAD".utf8) {
            judgement.refuse(
                .invalidRequest, .malformedField,
                sentence:
                    "the token stands in the body of a \(EscapedText.escape(request.method)) request, whose body means nothing",
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
        compare(token, age: age, &judgement)
        return judgement
    }

    private func collect(_ request: BearerRequest, _ judgement: inout BearerJudgement) -> [(BearerPlace, [UInt8])] {
        var sent: [(BearerPlace, [UInt8])] = []
        if let credentials = request.credentials {
            if credentials.isScheme("Bearer") {
                // The grammar check gets a malformed token as a whole.
                sent.append((.header, credentials.token68.map { Array($0.utf8) } ?? credentials.rest))
                if credentials.token68 != nil {
                    let grammar = credentials.grammarFaults(tolerated: tolerated)
                    for fault in grammar.faults { judgement.refuse(.invalidRequest, fault) }
                    judgement.remarks += grammar.remarks
                }
            } else {
                // A request without a token has no `error` parameter.
                judgement.faults.append(.wrongScheme(credentials, expected: "Bearer"))
            }
        }
        sent += request.tokensOfForm.map { (.form, $0) }
        sent += request.tokensOfQuery.map { (.query, $0) }
        return sent
    }

    private func compare(_ token: [UInt8], age: UInt64, _ judgement: inout BearerJudgement) {
        guard let index = tokens.firstIndex(where: { $0.text.utf8.elementsEqual(token) }) else {
            return judgement.refuse(
                .invalidToken, .unknownToken,
                sentence: "the token of \(Plural.count(token.count, "byte")) is not known",
                section: "RFC 6750 §3.1")
        }
        if tokens[index].isExpired(at: age) {
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

    /// The parameters of the challenge besides realm: the error if a token was sent (§3.1 forbids it otherwise), and
    /// the scope.
    func parameters(for judgement: BearerJudgement) -> [AuthenticationParameter] {
        var parameters: [AuthenticationParameter] = []
        if !scopes.isEmpty {
            parameters.append(AuthenticationParameter(name: "scope", bytes: Array(scopes.joined(separator: " ").utf8)))
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

/// The result of checking a request to which a Bearer token belongs.
package struct BearerJudgement: Sendable, Equatable {
    /// Where the first token was sent; nil if the request has none.
    var place: BearerPlace?
    /// The `error` of the challenge; nil if the request has no token or no fault.
    var error: BearerError?
    /// Why the token is refused; also empty if the request has no credential.
    var faults: [CredentialFault] = []
    var remarks: [CredentialFault] = []

    init() {}

    var hasToken: Bool { place != nil }

    package var isAdmitted: Bool { hasToken && faults.isEmpty }

    mutating func refuse(_ error: BearerError, _ fault: CredentialFault) {
        faults.append(fault)
        self.error = self.error ?? error
    }

    mutating func refuse(_ error: BearerError, _ kind: CredentialFault.Kind, sentence: String, section: String) {
        refuse(error, CredentialFault(kind, sentence, section: section))
    }

    /// Adds a fault for a token in a place that the server does not accept.
    mutating func refusePlace(_ place: BearerPlace, allowed: Set<BearerPlace>) {
        let expected = BearerPlace.allCases.filter(allowed.contains).map(\.words.title)
        let sentence = "the token stands \(place.words.phrase); expected it in \(expected.joined(separator: " or "))"
        let kind: CredentialFault.Kind = place == .query ? .tokenInQuery : .malformedField
        refuse(.invalidRequest, kind, sentence: sentence, section: place.words.section)
    }
}

extension BearerText {
    /// Whether it is one scope-token: printable ASCII without space, double quote and backslash (RFC 6749 §3.3).
    static func isScope(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0.isDescriptionByte && $0 != UInt8(ascii: " ") }
    }

    /// Replaces bytes that are illegal in `error_description` by an apostrophe or a question mark.
    static func description(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let byte = UInt8(exactly: scalar.value) ?? 0
            if byte == UInt8(ascii: "\"") {
                bytes.append(UInt8(ascii: "'"))
            } else {
                bytes.append(byte.isDescriptionByte ? byte : UInt8(ascii: "?"))
            }
        }
        return bytes
    }
}

extension UInt8 {
    /// `%x20-21 / %x23-5B / %x5D-7E` (RFC 6750 §3).
    fileprivate var isDescriptionByte: Bool {
        0x20...0x7E ~= self && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

package struct BearerToken: Sendable, Equatable {
    /// A b64token.
    let text: String
    let scopes: Set<String>
    /// How long it is valid, in nanoseconds; 0: it is expired from the beginning; nil: for ever.
    let lifetime: UInt64?

    package init(text: String, scopes: Set<String> = [], lifetime: UInt64? = nil) {
        (self.text, self.scopes, self.lifetime) = (text, scopes, lifetime)
    }

    func isExpired(at age: UInt64) -> Bool { lifetime.map { age >= $0 } ?? false }
}

package enum BearerPlace: String, Sendable, CaseIterable {
    /// The Authorization field (§2.1).
    case header
    /// The parameter `access_token` of content in application/x-www-form-urlencoded (§2.2).
    case form
    /// The parameter `access_token` of the query (§2.3).
    case query

    /// The short name, the words for sentences with "expected in" and "found in", and the section.
    fileprivate var words: (name: String, title: String, phrase: String, section: String) {
        switch self {
        case .header: ("field", "the field Authorization", "in the field", "RFC 6750 §2.1")
        case .form: ("form", "the form of the body", "in the form of the body", "RFC 6750 §2.2")
        case .query: ("query", "the query", "in the query, where logs and caches keep it", "RFC 6750 §2.3")
        }
    }
}

/// What the server reports about a refused token in its challenge (RFC 6750 §3.1); the raw values are those of `error`.
enum BearerError: String, Sendable, CaseIterable {
    /// The token is malformed, or sent in more than one way.
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The token is valid, but lacks a scope.
    case insufficientScope = "insufficient_scope"

    /// The status of the reply: 400, 401 or 403.
    var status: Int {
        switch self {
        case .invalidRequest: 400
        case .invalidToken: 401
        case .insufficientScope: 403
        }
    }
}

package struct BearerRequest: Sendable {
    var method: [UInt8]
    /// The value of the Authorization field; nil if the request has none.
    var credentials: Credentials?
    /// The query of the target, without the question mark.
    var query: [UInt8]?
    var contentType: [UInt8]?
    /// The whole content; nil if there is none or it was not kept.
    var content: [UInt8]?

    package init(
        method: [UInt8], credentials: Credentials?, query: [UInt8]? = nil, contentType: [UInt8]? = nil,
        content: [UInt8]? = nil
    ) {
        (self.method, self.credentials, self.query, self.contentType) = (method, credentials, query, contentType)
        self.content = content
    }

    static let parameterName = "access_token"

    var tokensOfQuery: [[UInt8]] { query.map(Self.tokens) ?? [] }

    var tokensOfForm: [[UInt8]] {
        guard let content, let type = contentType.flatMap({ MediaType($0) }),
            type.essence == "application/x-www-form-urlencoded"
        else { return [] }
        return Self.tokens(content)
    }

    private static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
        (try? URLEncodedForm(parsing: bytes))?.values(of: parameterName) ?? []
    }
}
