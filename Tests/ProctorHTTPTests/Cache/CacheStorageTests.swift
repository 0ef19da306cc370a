import ProctorHTTP
import Testing

struct CacheStorageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var scheme = HTTPScheme.http
        var method = "GET"
        var request: [HTTPField] = []
        var status = 200
        var reply: [HTTPField] = []
        let policy: CacheStoragePolicy

        var testDescription: String {
            "\(scheme) \(method) \(request.map(\.value)) \(status) \(reply.map(\.value)): \(policy)"
        }
    }

    private static func control(_ value: String) -> [HTTPField] { [HTTPField("cache-control", value)] }

    /// The statuses of the storage policy table of the recorder, with nothing else said.
    static let statuses: [Row] =
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].flatMap {
            [Row(status: $0, policy: .allowed), Row(scheme: .https, status: $0, policy: .allowedInMemoryOnly)]
        }
        + [
            100, 201, 202, 206, 302, 303, 304, 307, 400, 401, 403, 407, 408, 416, 429, 500, 502, 503, 504, 600,
        ].map { Row(status: $0, policy: .notAllowed) }

    static let words: [Row] = [
        Row(reply: control("no-store"), policy: .notAllowed),
        Row(scheme: .https, reply: control("no-store"), policy: .notAllowed),
        Row(reply: control("No-Store"), policy: .notAllowed),
        Row(reply: control("max-age=60, no-store"), policy: .notAllowed),
        Row(reply: control("max-age=60") + control("no-store"), policy: .notAllowed),
        Row(reply: control(#"no-store="x""#), policy: .notAllowed),
        Row(reply: control(#"ext="a, no-store, b""#), policy: .allowed),
        Row(status: 404, reply: control("no-store"), policy: .notAllowed),
        Row(reply: control("no-cache"), policy: .allowed), Row(reply: control("private"), policy: .allowed),
        Row(reply: control("max-age=60"), policy: .allowed), Row(reply: control("max-age=0"), policy: .allowed),
        Row(request: control("no-store"), policy: .notAllowed),
        Row(request: control("NO-STORE, NO-CACHE"), policy: .notAllowed),
        Row(request: control("no-cache"), policy: .allowed), Row(request: control("max-age=0"), policy: .allowed),
        Row(request: [HTTPField("Authorization", "Basic x")], policy: .allowed),
        Row(reply: [HTTPField("Vary", "*")], policy: .notAllowed),
        Row(reply: [HTTPField("Vary", "Accept, *")], policy: .notAllowed),
        Row(reply: [HTTPField("Vary", "Accept")], policy: .allowed),
        Row(status: 302, reply: control("max-age=60"), policy: .allowed),
        Row(status: 302, reply: control("private"), policy: .allowed),
        Row(status: 302, reply: control("public"), policy: .allowed),
        Row(status: 302, reply: control("no-cache"), policy: .notAllowed),
        Row(status: 302, reply: [HTTPField("Expires", "0")], policy: .allowed),
        Row(status: 299, reply: control("max-age=60"), policy: .allowed),
        Row(status: 299, reply: control("max-age=60, must-understand"), policy: .notAllowed),
        Row(reply: control("max-age=60, must-understand"), policy: .allowed),
        Row(status: 206, reply: control("max-age=60"), policy: .notAllowed),
        Row(status: 304, reply: control("max-age=60"), policy: .notAllowed),
    ]

    static let methods: [Row] = ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "get", ""].map {
        Row(method: $0, policy: .notAllowed)
    }

    @Test(arguments: statuses + words + methods)
    func `a private cache may keep what RFC 9111 §3 lets it`(_ row: Row) {
        let policy = CacheStorage.policy(
            scheme: row.scheme, method: row.method, requestFields: row.request, status: row.status,
            replyFields: row.reply)
        #expect(policy == row.policy)
        #expect(
            CacheStorage.mayStore(
                method: row.method, requestFields: row.request, status: row.status, replyFields: row.reply)
                == (row.policy != .notAllowed))
    }
}

/// A reply that came at second 10,000 to a request of the same second, unless told otherwise.
func reply(
    _ fields: [(String, String)], status: Int = 200, to requestFields: [(String, String)] = [],
    requestedAt: Int = 10_000, receivedAt: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation
) throws -> CachedReply {
    try #require(
        CachedReply(
            status: status, fields: fields.map { HTTPField($0.0, $0.1) },
            requestFields: requestFields.map { HTTPField($0.0, $0.1) }, requestedAt: requestedAt,
            receivedAt: receivedAt), sourceLocation: sourceLocation)
}

/// That second as a field writes it.
func date(_ seconds: Int) -> String { text(HTTPDate.imfFixdate(unixSeconds: seconds)) }
