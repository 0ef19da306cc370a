internal import ProctorBase
internal import ProctorHTTP

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Responses kept in memory to answer again, as RFC 9111 allows a cache that serves one user; any thread may use it.
///
/// The cache keeps whole answers to GET with their codings undone, and drops the least recently used ones first.
public final class ReferenceCache: Sendable {
    /// Heads, contents and a little for each response; one that alone is more is not kept.
    public let byteLimit: Int
    private let clock: @Sendable () -> Int
    private let state = Locked(State())

    fileprivate struct State {
        /// Responses to one URL that vary stand together.
        var entries: [CacheKey: [Entry]] = [:]
        var byteCount = 0
        var useCount = 0
    }

    fileprivate struct Entry {
        var response: StoredResponse
        /// The higher, the later it was used.
        var lastUse: Int
    }

    /// `clock` gives Unix seconds; nil: the time of the system.
    public init(byteLimit: Int, clock: (@Sendable () -> Int)? = nil) {
        self.byteLimit = max(0, byteLimit)
        self.clock = clock ?? { time(nil) }
    }

    /// What is kept now.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Responses that are kept now.
    public var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }

    /// Keeps nothing of what came so far.
    public func removeAll() { state.withLock { $0 = State() } }

    // MARK: For loads

    /// Unix seconds.
    var now: Int { clock() }

    /// The one that the request selects (RFC 9111 §4.1), fresh or not.
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

    /// Takes the place of the one that the same requests select; what is too long only removes that.
    func store(_ response: StoredResponse) {
        state.withLock { state in
            state.remove(response.key) { $0.response.reply.variant == response.reply.variant }
            guard response.byteCount <= byteLimit else { return }
            state.useCount += 1
            state.entries[response.key, default: []].append(Entry(response: response, lastUse: state.useCount))
            state.byteCount += response.byteCount
            while state.byteCount > byteLimit { state.removeOldest() }
        }
    }

    /// The response was found not to hold any more.
    func remove(_ response: StoredResponse) {
        state.withLock { $0.remove(response.key) { $0.response.reply.variant == response.reply.variant } }
    }

    /// Whatever is stored of that URL (RFC 9111 §4.4).
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

/// A response as the cache has it: whole, with its codings undone.
struct StoredResponse: Sendable, Equatable {
    let key: CacheKey
    /// Refreshed by every 304 (RFC 9111 §4.3.4).
    var reply: CachedReply
    let reason: [UInt8]
    let content: [UInt8]

    /// nil for a response that answers no other request (§4.1).
    init?(
        _ head: ReplyHead, _ content: [UInt8], to request: ClientRequest, requestedAt: Int, receivedAt: Int
    ) {
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

    /// What it takes of the cache's bytes; the constants stand for the objects around them.
    var byteCount: Int {
        reply.fields.reduce(256 + key.bytes.count + content.count) { $0 + 64 + $1.name.utf8.count + $1.bytes.count }
    }

    /// The head that a client is told of at that moment; nil where the fields make none that can be read.
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
