extension CanonicalRequestTable {
    private static func row(
        _ id: String, method: String = "GET", _ fields: KeyValuePairs<String, String> = [:], body: String? = nil,
        wanted: CanonicalRequestRow.Wanted, requirement: TableRequirement, source: String, because reason: String
    ) -> CanonicalRequestRow {
        CanonicalRequestRow(
            id: id,
            input: CanonicalRequestRow.Input(
                method: method, url: "http://example.com/a", fields: fields.map { ($0.key, $0.value) }, body: body),
            wanted: wanted, requirement: requirement, source: source, reason: reason)
    }

    private static let sample = "CustomHTTPProtocol, CanonicalRequest.m"

    /// What the client said is not for the protocol to change.
    static let keptRows: [CanonicalRequestRow] = [
        row(
            "method/kept", method: "DELETE", wanted: .method("DELETE"), requirement: .must, source: "R52",
            because: "another method is another request"),
        row(
            "method/case", method: "pAtCh", wanted: .method("pAtCh"), requirement: .must, source: "RFC 9110 §9.1",
            because: "a method is case-sensitive"),
        row(
            "body/kept", method: "POST", body: "a=1", wanted: .sameBody, requirement: .must, source: "R52",
            because: "the body is what the request is for"),
        row(
            "field/own", ["X-Own": "Value"], wanted: .field("X-Own", "Value"), requirement: .must, source: "R52",
            because: "a field of the client's own stays"),
        row(
            "field/cookie-kept", ["Cookie": "a=1; b=2"], wanted: .field("Cookie", "a=1; b=2"), requirement: .must,
            source: "R52", because: "a field of the client's own stays, and the order in it"),
        row(
            "field/accept-kept", ["Accept": "text/plain"], wanted: .field("Accept", "text/plain"), requirement: .must,
            source: sample, because: "a default is for a field that is missing"),
        row(
            "field/accept-encoding-kept", ["Accept-Encoding": "identity"],
            wanted: .field("Accept-Encoding", "identity"),
            requirement: .must, source: sample, because: "a client that wants no coding must not get one"),
        row(
            "field/accept-language-kept", ["Accept-Language": "de"], wanted: .field("Accept-Language", "de"),
            requirement: .must, source: sample, because: "a default is for a field that is missing"),
        row(
            "field/content-type-kept", method: "POST", ["Content-Type": "application/json"], body: "{}",
            wanted: .field("Content-Type", "application/json"), requirement: .must, source: sample,
            because: "a default is for a field that is missing"),
    ]

    /// What Apple's loader puts in where the client said nothing.
    static let fieldRows: [CanonicalRequestRow] = [
        row(
            "field/accept-default", wanted: .field("Accept", "*/*"), requirement: .should, source: sample,
            because: "some servers answer 406 to a request that accepts nothing in particular"),
        row(
            "field/accept-encoding-default", wanted: .field("Accept-Encoding", "gzip, deflate"), requirement: .should,
            source: sample, because: "the codings that the loader undoes by itself"),
        row(
            "field/accept-language-default", wanted: .anyField("Accept-Language"), requirement: .should, source: sample,
            because: "the language of the user; which one is the application's business"),
        row(
            "field/content-type-default", method: "POST", body: "a=1",
            wanted: .field("Content-Type", "application/x-www-form-urlencoded"), requirement: .should, source: sample,
            because: "what a POST with a body and without a type has always been"),
        row(
            "field/content-type-without-body", method: "POST", wanted: .noField("Content-Type"), requirement: .should,
            source: sample, because: "without content there is no type of it"),
        row(
            "field/content-type-of-put", method: "PUT", body: "a=1", wanted: .noField("Content-Type"),
            requirement: .should,
            source: sample, because: "only a POST is a form by default"),
        row(
            "field/no-content-type-of-get", wanted: .noField("Content-Type"), requirement: .should, source: sample,
            because: "without content there is no type of it"),
    ]
}
