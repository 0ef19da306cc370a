internal import ProctorBase
internal import ProctorHarness
internal import Testing

/// One exchange of a test's stubs; each method gives the stub back.
///
/// ``Stubs/on(_:sourceLocation:)`` makes it. The words are those of all helpers (Docs/use/stubs.md).
/// Safe from any thread.
public final class Stub: Sendable {
    private let request: String
    private let place: Testing.SourceLocation
    private let parts = Locked(Parts())

    private struct Parts {
        var patterns: [(key: String, value: FixtureValue)] = []
        var replies: [Reply] = []
        var beside: [(key: String, value: FixtureValue)] = []
        var served: (stubs: Stubs, position: Int)?
    }

    init(_ request: String, at place: Testing.SourceLocation) {
        (self.request, self.place) = (request, place)
    }

    /// What the request has besides, by a key of Docs/format/requests.md: json, headers, cookies, query, form, body.
    @discardableResult
    public func having(_ key: String, _ pattern: FixtureValue) -> Stub {
        change { $0.patterns.append((key: key, value: pattern)) }
    }

    /// A reply: empty, with a text, with JSON, which brings its Content-Type along, with events, or a WebSocket's turns.
    ///
    /// Of several each is sent once, in turn, and the last one stays; without any the reply is an empty 200. Without a
    /// status it is 200, or 101 for a WebSocket.
    @discardableResult
    public func reply(
        _ status: Reply.Status? = nil, _ body: String? = nil, headers: KeyValuePairs<String, FixtureValue> = [:],
        json: FixtureValue? = nil, events: FixtureValue? = nil, websocket: FixtureValue? = nil,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Stub {
        if let json {
            return reply(
                Reply(status ?? 200, headers: headers, json: json, filePath: filePath, line: line, column: column))
        }
        let usual: Reply.Status? = events == nil && websocket == nil ? 200 : nil
        let fields = headers.map { (key: $0.key, value: $0.value) }
        var answer = Reply(
            status ?? usual, fields, body: body.map { .text($0) },
            at: SourceLocation(file: filePath, line: line, column: column))
        if let events { answer = answer.setting("events", events) }
        if let websocket { answer = answer.setting("websocket", websocket) }
        return reply(answer)
    }

    /// A reply with whatever a fixture can have.
    @discardableResult
    public func reply(_ reply: Reply) -> Stub { change { $0.replies.append(reply) } }

    /// Exactly so many requests, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test.
    @discardableResult
    public func times(_ count: Int) -> Stub { setting("times", ["exactly": .integer(count)]) }

    /// At least so many requests, 1 to 1,000,000.
    @discardableResult
    public func atLeast(_ count: Int) -> Stub { setting("times", ["at-least": .integer(count)]) }

    /// The test passes without a request to the stub.
    @discardableResult
    public func optional() -> Stub { setting("optional", true) }

    /// Another key of an exchange (Docs/format/requests.md), as `reads`.
    @discardableResult
    public func setting(_ key: String, _ value: FixtureValue) -> Stub {
        change { $0.beside.append((key: key, value: value)) }
    }

    /// The requests that this stub has answered so far, in the order in which they came.
    public var requests: [ReceivedRequest] {
        guard let served = parts.withLock({ $0.served }) else { return [] }
        return served.stubs.requests.filter { $0.exchange == served.position }
    }

    private func change(_ body: (inout Parts) -> Void) -> Stub {
        let isServed = parts.withLock { parts in
            if parts.served == nil { body(&parts) }
            return parts.served != nil
        }
        if isServed { TestIssue.record("the stub '\(request)' is whole before its test serves it", at: place) }
        return self
    }

    func serve(in stubs: Stubs, as position: Int) { parts.withLock { $0.served = (stubs, position) } }

    /// The exchange that the stub describes.
    var exchange: On {
        let parts = parts.withLock { $0 }
        let words = request.split(separator: " ", maxSplits: 1).map(String.init)
        let asked = ExpectedRequest(method: words.first ?? "", words.count > 1 ? words[1] : "")
        let replies = parts.replies.isEmpty ? [Reply(.ok)] : parts.replies
        return parts.beside.reduce(
            On(
                parts.patterns.reduce(asked) { $0.setting($1.key, $1.value) }, filePath: place.filePath,
                line: place.line, column: place.column
            ) { replies }
        ) { $0.setting($1.key, $1.value) }
    }
}
