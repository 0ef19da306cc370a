internal import ProctorBase
internal import ProctorHTTP

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Responses kept in memory to answer again, as RFC 9111 allows a cache that serves one user; any thread may use it.
///
/// It keeps whole answers to GET, with their codings undone, and lets those go first that were not used for longest.
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

    /// It was found not to hold any more.
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
