internal import ProctorBase
internal import ProctorDocument

/// One reply of an exchange, as `reply:` of a fixture (Docs/format/replies.md).
///
/// Only what is written here is sent, and in addition Content-Length and, with `json`, Content-Type. Text may hold
/// late-bound parts, such as `{{base}}` and `{{path.id}}`.
public struct Reply: Sendable {
    private var members: [(key: String, value: FixtureValue)]
    private var effects: [FixtureValue] = []
    private let place: SourceLocation

    /// Makes a reply; the field lines of `headers` keep their order and their letter case.
    public init(
        _ status: Status, headers: KeyValuePairs<String, FixtureValue> = [:], body: String? = nil,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.init(
            status, headers, body: body.map { .text($0) },
            at: SourceLocation(file: filePath, line: line, column: column))
    }

    /// Makes a reply with JSON as its content, and with `Content-Type: application/json` unless `headers` has a
    /// Content-Type.
    public init(
        _ status: Status, headers: KeyValuePairs<String, FixtureValue> = [:], json: FixtureValue,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        var fields = headers.map { (key: $0.key, value: $0.value) }
        if !fields.contains(where: { $0.key.lowercased() == "content-type" }) {
            fields.append((key: "Content-Type", value: "application/json"))
        }
        self.init(
            status, fields, body: ["json": json], at: SourceLocation(file: filePath, line: line, column: column))
    }

    init(
        _ status: Status?, _ headers: some Sequence<(key: String, value: FixtureValue)>, body: FixtureValue?,
        at place: SourceLocation
    ) {
        self.place = place
        members = status.map { [(key: "status", value: .integer($0.code))] } ?? []
        // A list and no mapping, so that a field name may occur twice.
        let fields = headers.map { FixtureValue.mapping([(key: $0.key, value: $0.value)]) }
        if !fields.isEmpty { members.append((key: "headers", value: .list(fields))) }
        if let body { members.append((key: "body", value: body)) }
    }

    /// Sets a key of a reply that a fixture can have: `.setting("framing", "chunked")`.
    public func setting(_ key: String, _ value: FixtureValue) -> Reply {
        var reply = self
        reply.members.append((key: key, value: value))
        return reply
    }

    /// Adds an effect at a position of the reply, written as in a fixture: `.effect("reset", at: "body 2")`.
    public func effect(_ action: String, at position: String = "head") -> Reply {
        var reply = self
        reply.effects.append(["at": .text(position), "do": .text(action)])
        return reply
    }

    /// Delays the first byte by more than zero and at most ten minutes.
    public func after(_ delay: Duration) -> Reply { effect("wait \(delay.wholeNanoseconds / 1000)us") }

    func node() -> Node {
        let effects = effects.isEmpty ? [] : [(key: "effects", value: FixtureValue.list(effects))]
        return FixtureValue.mapping(members + effects).node(at: SourceFile(madeAt: place))
    }

    /// A status code (RFC 9110 §15); any number can be written.
    public struct Status: Sendable, ExpressibleByIntegerLiteral {
        /// From 100 to 999; a scenario with another code is refused.
        public let code: Int

        /// A status by its number.
        public init(_ code: Int) { self.code = code }

        /// A status by its number.
        public init(integerLiteral code: Int) { self.code = code }

        /// RFC 9110 §15.3.1.
        public static let ok: Status = 200
        /// RFC 9110 §15.3.2.
        public static let created: Status = 201
        /// RFC 9110 §15.3.5.
        public static let noContent: Status = 204
        /// RFC 9110 §15.4.2.
        public static let movedPermanently: Status = 301
        /// RFC 9110 §15.4.3.
        public static let found: Status = 302
        /// RFC 9110 §15.4.4.
        public static let seeOther: Status = 303
        /// RFC 9110 §15.4.5.
        public static let notModified: Status = 304
        /// RFC 9110 §15.4.8.
        public static let temporaryRedirect: Status = 307
        /// RFC 9110 §15.4.9.
        public static let permanentRedirect: Status = 308
        /// RFC 9110 §15.5.1.
        public static let badRequest: Status = 400
        /// RFC 9110 §15.5.2.
        public static let unauthorized: Status = 401
        /// RFC 9110 §15.5.4.
        public static let forbidden: Status = 403
        /// RFC 9110 §15.5.5.
        public static let notFound: Status = 404
        /// RFC 9110 §15.5.6.
        public static let methodNotAllowed: Status = 405
        /// RFC 9110 §15.5.10.
        public static let conflict: Status = 409
        /// RFC 6585 §4.
        public static let tooManyRequests: Status = 429
        /// RFC 9110 §15.6.1.
        public static let internalServerError: Status = 500
        /// RFC 9110 §15.6.3.
        public static let badGateway: Status = 502
        /// RFC 9110 §15.6.4.
        public static let serviceUnavailable: Status = 503
        /// RFC 9110 §15.6.5.
        public static let gatewayTimeout: Status = 504
    }
}
