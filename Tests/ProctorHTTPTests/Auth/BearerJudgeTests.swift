import ProctorHTTP
import Testing

struct BearerJudgeTests {
    static let tokens = [
        BearerToken(text: "mF_9.B5f-4.1JqM"), BearerToken(text: "rw==", scopes: ["read", "write"]),
        BearerToken(text: "old", scopes: ["read"], isExpired: true),
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let request: BearerRequest
        var scopes: [String] = []
        var places: Set<BearerPlace> = [.header]
        let kinds: [CredentialFault.Kind]
        let error: BearerError?
        /// The token is known and nothing is wrong.
        var isAdmitted = false

        var testDescription: String { name }
    }

    static func request(
        _ field: String? = nil, query: String? = nil, form: String? = nil,
        type: String? = "application/x-www-form-urlencoded", method: String = "POST"
    ) -> BearerRequest {
        BearerRequest(
            method: bytes(method), credentials: field.map { Credentials(bytes($0)) }, query: query.map { bytes($0) },
            contentType: type.map { bytes($0) }, content: form.map { bytes($0) })
    }

    static let rows: [Row] = [
        Row(name: "nothing", request: request(), kinds: [], error: nil),
        // RFC 6750 §2.1's own example.
        Row(name: "the field", request: request("Bearer mF_9.B5f-4.1JqM"), kinds: [], error: nil, isAdmitted: true),
        Row(name: "the scheme in any case", request: request("bearer rw=="), kinds: [], error: nil, isAdmitted: true),
        Row(
            name: "enough scope", request: request("Bearer rw=="), scopes: ["write"], kinds: [], error: nil,
            isAdmitted: true),
        Row(
            name: "too little scope", request: request("Bearer mF_9.B5f-4.1JqM"), scopes: ["read", "write"],
            kinds: [.insufficientScope], error: .insufficientScope),
        Row(name: "expired", request: request("Bearer old"), kinds: [.expiredToken], error: .invalidToken),
        Row(name: "unknown", request: request("Bearer nope"), kinds: [.unknownToken], error: .invalidToken),
        Row(name: "letter case counts", request: request("Bearer RW=="), kinds: [.unknownToken], error: .invalidToken),
        Row(name: "two words", request: request("Bearer a b"), kinds: [.malformedToken], error: .invalidRequest),
        Row(name: "quoted", request: request("Bearer \"rw==\""), kinds: [.malformedToken], error: .invalidRequest),
        Row(name: "a parameter", request: request("Bearer token=rw"), kinds: [.malformedToken], error: .invalidRequest),
        Row(
            name: "none behind the scheme", request: request("Bearer"), kinds: [.malformedToken], error: .invalidRequest
        ),
        Row(
            name: "something behind the token", request: request("Bearer rw==, a=b"), kinds: [.malformedField],
            error: .invalidRequest),
        Row(
            name: "a comma behind the token", request: request("Bearer rw==,"), kinds: [.malformedField],
            error: .invalidRequest),
        Row(
            name: "a comma before the scheme", request: request(", Bearer rw=="), kinds: [.malformedField],
            error: .invalidRequest),
        Row(name: "another scheme", request: request("Basic Og=="), kinds: [.wrongScheme], error: nil),
        Row(
            name: "in the query", request: request(query: "a=b&access_token=rw%3D%3D", method: "GET"),
            places: [.header, .query], kinds: [], error: nil, isAdmitted: true),
        Row(
            name: "in the query, where it may not be", request: request(query: "access_token=rw==", method: "GET"),
            kinds: [.tokenInQuery], error: .invalidRequest),
        Row(
            name: "in the form", request: request(form: "p=q&access_token=rw%3d="), places: [.form], kinds: [],
            error: nil, isAdmitted: true),
        Row(
            name: "in the form, where it may not be", request: request(form: "access_token=old"),
            kinds: [.malformedField], error: .invalidRequest),
        Row(
            name: "in a body that is no form", request: request(form: "access_token=rw==", type: "text/plain"),
            places: [.form], kinds: [], error: nil),
        Row(
            name: "in the body of a GET", request: request(form: "access_token=old", method: "GET"), places: [.form],
            kinds: [.malformedField], error: .invalidRequest),
        Row(
            name: "twice", request: request("Bearer old", query: "access_token=old"), places: [.header, .query],
            kinds: [.tokenSentTwice], error: .invalidRequest),
        Row(
            name: "twice in the query", request: request(query: "access_token=old&access_token=old"), places: [.query],
            kinds: [.tokenSentTwice], error: .invalidRequest),
    ]

    @Test(arguments: rows)
    func `a token is judged`(_ row: Row) {
        let judge = BearerJudge(tokens: Self.tokens, scopes: row.scopes, places: row.places)
        let judgement = judge.judge(row.request)
        #expect(judgement.faults.map(\.kind) == row.kinds)
        #expect(judgement.error == row.error)
        #expect(judgement.isAdmitted == row.isAdmitted)
        let names = judge.parameters(for: judgement).map(\.name)
        #expect(names.contains("error") == (row.error != nil), "RFC 6750 §3.1: no error where no token came")
        #expect(names.contains("scope") == !row.scopes.isEmpty)
        let challenge = AuthenticationChallenge(
            scheme: "Bearer", parameters: [.init(name: "realm", bytes: bytes("lab"))] + judge.parameters(for: judgement)
        )
        let read = ChallengeReader([challenge.bytes])
        #expect(read.violations.isEmpty)
        #expect(read.challenges.first?["error"] == row.error?.rawValue)
        let description = read.challenges.first?.parameters.first { $0.isNamed("error_description") }
        #expect(description?.bytes.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C } ?? true)
    }

    @Test func `every error has the status of RFC 6750`() {
        #expect(BearerError.allCases.map(\.status) == [400, 401, 403])
        #expect(BearerError.allCases.map(\.rawValue) == ["invalid_request", "invalid_token", "insufficient_scope"])
    }

    @Test func `no token stands in a sentence`() {
        let judge = BearerJudge(tokens: Self.tokens, scopes: ["z"], places: [])
        for field in ["Bearer secret-one", "Bearer secret two", "Bearer \"secret\""] {
            let faults = judge.judge(Self.request(field, query: "access_token=secret")).faults
            #expect(!faults.isEmpty)
            #expect(!faults.map(\.description).joined().contains("secret"))
        }
    }

    @Test(arguments: [("a", true), ("a-b._~+/9==", true), ("", false), ("=", false), ("a=b", false), ("a b", false)])
    func `a token is a b64token`(_ token: String, _ isToken: Bool) throws {
        #expect(BearerText.isToken(bytes(token)) == isToken)
        if isToken {
            let value = try BearerCredential(token: token).fieldValue
            #expect(Credentials(bytes(value)).token68 == token)
        } else {
            #expect(throws: BearerCredentialError.noToken) { try BearerCredential(token: token) }
        }
    }

    @Test(arguments: [
        ("read", true), ("https://x/y", true), ("a b", false), ("", false), ("a\"", false), ("a\\", false),
    ])
    func `a scope is printable ASCII`(_ scope: String, _ isScope: Bool) {
        #expect(BearerText.isScope(bytes(scope)) == isScope)
    }
}
