internal import ProctorBase
public import ProctorHTTP

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The cookies of one user agent, in memory, by the rules of `CookieStore`; any thread may use it.
public final class ReferenceCookieStore: Sendable {
    private let clock: @Sendable () -> Int
    private let store: Locked<CookieStore>

    /// `clock` gives Unix seconds; nil: the time of the system.
    public init(
        edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits(),
        clock: (@Sendable () -> Int)? = nil
    ) {
        self.clock = clock ?? { time(nil) }
        store = Locked(CookieStore(edition: edition, limits: limits))
    }

    /// All that are kept, in the order in which they came first; some may be over.
    public var cookies: [Cookie] { store.withLock { $0.cookies } }

    /// The value of the Cookie field of a request to that place; nil: it has none.
    public func field(for place: CookieURL) -> [UInt8]? {
        let now = clock()
        return store.withLock { $0.field(for: place, at: now) }
    }

    /// Takes one Set-Cookie field of a reply from there.
    @discardableResult
    public func take(_ field: [UInt8], from place: CookieURL) -> SetCookieNote.Outcome {
        let now = clock()
        return store.withLock { $0.take(field, from: place, at: now) }
    }

    /// Forgets the cookies that last as long as a session (RFC 6265 §5.3): what is a session is its owner's to say.
    public func endSession() { store.withLock { $0.endSession() } }

    /// Forgets all.
    public func removeAll() { store.withLock { $0 = CookieStore(edition: $0.edition, limits: $0.limits) } }
}
