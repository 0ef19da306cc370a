internal import ProctorBase
package import ProctorHTTP
package import ProctorHTTPClient

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Responses that are stored in memory and reused, as RFC 9111 permits a private cache; any thread may use it.
///
/// The cache stores complete responses to GET, decoded, and removes the least recently used one first.
public final class ReferenceCache: Sendable {
    /// The limit in bytes for heads, contents and an overhead for each response; a larger response is not stored.
    package let byteLimit: Int
    private let clock: @Sendable () -> Int
    private let state = Locked(State())

    fileprivate struct State {
        /// Responses to one URL that vary are in one list.
        var entries: [CacheKey: [Entry]] = [:]
        var byteCount = 0
        var useCount = 0
    }

    fileprivate struct Entry {
        var response: StoredResponse
        var lastUse: Int
    }

    /// Makes an empty cache; `clock` returns Unix seconds, nil stands for the system's time.
    public init(byteLimit: Int, clock: (@Sendable () -> Int)? = nil) {
        self.byteLimit = max(0, byteLimit)
        self.clock = clock ?? { SystemTime.now }
    }

    /// The bytes of all stored responses, as ``byteLimit`` counts them.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// The number of stored responses.
    package var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }

    /// Removes every stored response.
    public func removeAll() { state.withLock { $0 = State() } }

    // MARK: For the application

    /// The stored response that the request selects, fresh or stale, with its `userInfo`.
    package func stored(for request: ClientRequest) -> CachedContent? {
        response(to: request).map {
            CachedContent(status: $0.reply.status, content: $0.content, storage: $0.storage, notes: $0.notes)
        }
    }

    /// Removes every stored response to the request's URL.
    package func remove(for request: ClientRequest) { removeAll(of: CacheKey(request.url)) }

    /// Every stored response, the least recently used one first.
    package var responses: [StoredResponse] {
        state.withLock { $0.entries.values.joined().sorted { $0.lastUse < $1.lastUse }.map(\.response) }
    }

    // MARK: For loads

    /// The current time in Unix seconds.
    var now: Int { clock() }

    /// The stored response that the request selects (RFC 9111 §4.1), fresh or stale.
    func response(to request: ClientRequest) -> StoredResponse? {
        let key = CacheKey(request.url)
        return state.withLock { state in
            guard let entries = state.entries[key],
                let index = CachedReply.select(entries.map(\.response.reply), for: request.fields)
            else { return nil }
            state.useCount += 1
            state.entries[key]?[index].lastUse = state.useCount
            return entries[index].response
        }
    }

    /// Replaces the response that the same requests select; when the new one is too long, the old one is only removed.
    package func store(_ response: StoredResponse) {
        state.withLock { state in
            state.remove(response.key) { $0.response.reply.variant == response.reply.variant }
            guard response.byteCount <= byteLimit else { return }
            state.useCount += 1
            state.entries[response.key, default: []].append(Entry(response: response, lastUse: state.useCount))
            state.byteCount += response.byteCount
            while state.byteCount > byteLimit { state.removeOldest() }
        }
    }

    func remove(_ response: StoredResponse) {
        state.withLock { $0.remove(response.key) { $0.response.reply.variant == response.reply.variant } }
    }

    func removeAll(of key: CacheKey) { state.withLock { $0.remove(key) { _ in true } } }
}

extension ReferenceCache.State {
    fileprivate mutating func remove(_ key: CacheKey, where isGone: (ReferenceCache.Entry) -> Bool) {
        guard let entries = entries[key] else { return }
        let left = entries.filter { !isGone($0) }
        for entry in entries where isGone(entry) { byteCount -= entry.response.byteCount }
        self.entries[key] = left.isEmpty ? nil : left
    }

    fileprivate mutating func removeOldest() {
        let uses = entries.flatMap { key, entries in entries.map { (key, $0.lastUse) } }
        guard let (key, oldest) = uses.min(by: { $0.1 < $1.1 }) else { return }
        remove(key) { $0.lastUse == oldest }
    }
}

package enum SystemTime {
    /// The system's time in Unix seconds.
    package static var now: Int { time(nil) }
}

/// The parts of a stored response that an application can read.
package struct CachedContent: Sendable, Equatable {
    package let status: Int
    package let content: [UInt8]
    package let storage: CacheStoragePolicy
    package let notes: [String: String]
}

/// A complete response, decoded.
package struct StoredResponse: Sendable, Equatable {
    package let key: CacheKey
    /// The reply, refreshed by every 304 (RFC 9111 §4.3.4).
    package var reply: CachedReply
    package let reason: [UInt8]
    package internal(set) var content: [UInt8]
    package internal(set) var storage = CacheStoragePolicy.allowed
    /// The `userInfo` of the application.
    package internal(set) var notes: [String: String] = [:]

    /// Makes a response from parts that were stored.
    package init(_ reply: CachedReply, reason: [UInt8], of url: ClientURL, content: [UInt8], notes: [String: String]) {
        key = CacheKey(url)
        (self.reply, self.reason, self.content, self.notes) = (reply, reason, content, notes)
    }

    /// Replaces the parts in the change; removes Content-Length, which would not be that of the new content.
    mutating func change(by change: StoredChange) {
        if let content = change.content {
            self.content = content
            reply.forgetLength()
        }
        if let notes = change.notes { self.notes = notes }
        if let storage = change.storage { self.storage = storage }
    }

    /// Whether a Content-Length in the fields, if any, is that of the stored response (RFC 9111 §4.3.5).
    func hasLength(of fields: [HTTPField]) -> Bool {
        guard let length = fields.value(of: "Content-Length") else { return true }
        return length == reply.fields.value(of: "Content-Length") ?? String(content.count)
    }

    /// nil for a response that can't answer any other request (§4.1).
    init?(_ head: ReplyHead, _ content: [UInt8], to request: ClientRequest, requestedAt: Int, receivedAt: Int) {
        let fields = [HTTPField](head.fields)
        let reply = CachedReply(
            status: head.status, fields: fields, requestFields: request.fields, requestedAt: requestedAt,
            receivedAt: receivedAt)
        guard let reply else { return nil }
        key = CacheKey(request.url)
        self.reply = reply
        reason = head.reason
        self.content = content
    }

    /// The bytes that count towards the limit of the cache; the constants are for the overhead.
    var byteCount: Int {
        reply.fields.reduce(256 + key.bytes.count + content.count) { $0 + 64 + $1.name.utf8.count + $1.bytes.count }
    }

    /// The head for a client at that moment; nil where the fields form no readable head.
    func head(at now: Int) -> ReplyHead? {
        var text = Array("HTTP/1.1 \(reply.status) ".utf8) + reason
        ReplyWriter.lineEnd(into: &text)
        for field in reply.fields(servedAt: now) {
            ReplyWriter.fieldLine(name: field.name.utf8, value: field.bytes, into: &text)
        }
        ReplyWriter.lineEnd(into: &text)
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        var offset = 0
        while let event = reader.next(text.span, at: &offset) {
            if case .head(let head) = event { return head }
        }
        return nil
    }
}
