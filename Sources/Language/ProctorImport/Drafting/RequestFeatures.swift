import ProctorBase
import ProctorHTTP

/// What of a request beside its method and target may decide about its reply.
struct RequestFeatures: Equatable {
    /// The order in which they are tried where replies to one target differ.
    static let names = [
        "content", "range", "if-range", "if-none-match", "if-match", "if-modified-since", "if-unmodified-since",
        "authorization", "proxy-authorization", "cookie", "x-api-key", "content-type", "accept", "accept-language",
        "accept-encoding", "origin", "x-requested-with",
    ]

    /// nil: the request has none.
    private let values: [String: YAMLTree]
    let cookies: Set<String>
    /// The member of a fixture for the content; nil where it is too long.
    let content: YAMLTree.Member?

    init(_ request: RecordedRequest, condition: ContentDraft) {
        var values: [String: YAMLTree] = [:]
        for name in Self.names where name != "content" && name != "cookie" {
            guard let field = request.fields.first(named: name), let text = String(validUTF8: field.bytes) else {
                continue
            }
            values[name] = .text(Self.pattern(of: name, text, condition.pattern))
        }
        let type = MediaType(of: request.fields)
        let sent = condition.member(for: request.fields.decoded(request.content ?? []), type: type)
        content =
            request.formContent.map { form in
                let other = condition.member(
                    for: form, type: MediaType(Array("application/x-www-form-urlencoded".utf8)))
                return .init("any of", .list([sent, other].compactMap { $0 }.map { .map([$0]) }))
            } ?? sent
        var cookies: Set<String> = []
        for field in request.fields.all(named: "Cookie") {
            for pair in field.bytes.split(separator: UInt8(ascii: ";")) {
                let name = pair.drop { $0 == 0x20 }.prefix { $0 != UInt8(ascii: "=") }
                if let name = String(validUTF8: name), !name.isEmpty { cookies.insert(name) }
            }
        }
        (self.values, self.cookies) = (values, cookies)
    }

    private static func pattern(of name: String, _ text: String, _ pattern: TargetPattern) -> String {
        switch name {
        case "authorization", "proxy-authorization":
            let scheme = text.prefix { $0 != " " }
            return pattern.store.keepsSecrets && scheme.lowercased() != "digest"
                ? LiteralText.pattern(text) : LiteralText.pattern(String(scheme)) + " *"
        case "x-api-key": return pattern.store.keepsSecrets ? LiteralText.pattern(text) : "*"
        // The boundary is another one each time.
        case "content-type" where text.lowercased().hasPrefix("multipart/"):
            return LiteralText.pattern(String(text.prefix { $0 != ";" })) + "*"
        default: return pattern.open(text)
        }
    }

    /// The value by which requests are told apart.
    func value(of name: String) -> YAMLTree? {
        switch name {
        case "content": content.map { .map([$0]) }
        case "cookie": .text(cookies.sorted().joined(separator: ";"))
        default: values[name]
        }
    }

    /// Adds the condition that this value holds to a request; `others` are all cookies of the requests that are told
    /// apart.
    func add(_ name: String, to request: inout DraftRequest, others: Set<String>) {
        switch name {
        case "content": if let content { request.content.append(content) }
        case "cookie":
            request.cookies = others.sorted().map { .init($0, cookies.contains($0) ? .text("*") : .null) }
        default: request.headers.append(.init(Self.written(name), values[name] ?? .null))
        }
    }

    /// `if-none-match` as `If-None-Match`.
    private static func written(_ name: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }
}
