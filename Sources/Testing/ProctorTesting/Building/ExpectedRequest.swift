internal import ProctorDocument

/// A request that a scenario waits for, as `request:` of a fixture (Docs/format/requests.md).
///
/// In a target, `{name}` captures a path segment and `*` matches anything.
public struct ExpectedRequest: Sendable {
    private let method: String
    private let target: String
    private var conditions: [(key: String, value: FixtureValue)] = []

    /// `method` may be several, as `GET|HEAD`, or `*` for any.
    public init(method: String, _ target: String) {
        (self.method, self.target) = (method, target)
    }

    /// GET (RFC 9110 §9.3.1).
    public static func get(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "GET", target) }
    /// HEAD (RFC 9110 §9.3.2).
    public static func head(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "HEAD", target) }
    /// POST (RFC 9110 §9.3.3).
    public static func post(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "POST", target) }
    /// PUT (RFC 9110 §9.3.4).
    public static func put(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "PUT", target) }
    /// PATCH (RFC 5789).
    public static func patch(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "PATCH", target) }
    /// DELETE (RFC 9110 §9.3.5).
    public static func delete(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "DELETE", target) }
    /// OPTIONS (RFC 9110 §9.3.7).
    public static func options(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "OPTIONS", target) }
    /// Any method, with this target.
    public static func any(_ target: String) -> ExpectedRequest { ExpectedRequest(method: "*", target) }

    /// The query has exactly these names and values, in any order; the target must be written without a query then.
    public func query(_ items: KeyValuePairs<String, FixtureValue>) -> ExpectedRequest { setting("query", items) }

    /// Each field must be present with a value that matches; `nil`: it must be absent.
    public func headers(_ fields: KeyValuePairs<String, FixtureValue>) -> ExpectedRequest {
        setting("headers", fields)
    }

    /// The content is a form in application/x-www-form-urlencoded with exactly these names and values.
    public func form(_ items: KeyValuePairs<String, FixtureValue>) -> ExpectedRequest { setting("form", items) }

    /// The content is exactly this text.
    public func body(_ text: String) -> ExpectedRequest { setting("body", .text(text)) }

    /// Sets a key of `request:` that a fixture can have.
    public func setting(_ key: String, _ value: FixtureValue) -> ExpectedRequest {
        var request = self
        request.conditions.append((key: key, value: value))
        return request
    }

    private func setting(_ key: String, _ items: KeyValuePairs<String, FixtureValue>) -> ExpectedRequest {
        setting(key, .mapping(items.map { (key: $0.key, value: $0.value) }))
    }

    func node(at place: SourceFile) -> Node {
        guard !conditions.isEmpty else { return FixtureValue.text("\(method) \(target)").node(at: place) }
        return FixtureValue.mapping(
            [(key: "method", value: .text(method)), (key: "path", value: .text(target))] + conditions
        )
        .node(at: place)
    }
}
