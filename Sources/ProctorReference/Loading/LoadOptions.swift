/// What a load is given besides its request.
struct LoadOptions: Sendable {
    /// How its loader behaves.
    var policy = LoaderPolicy()
    /// Nanoseconds without activity; `.max`: for ever.
    var idleLimit: UInt64 = 60_000_000_000
    /// Nanoseconds from the start to the end; nil: for ever.
    var resourceLimit: UInt64?
    /// Bytes that the client may be behind before reading stops.
    var backlogLimit = 1 << 20
    /// What may answer in the server's place, and what may be stored; nil: nothing.
    var cache: ReferenceCache?
    /// Whose cookies are sent and taken; nil: nobody's.
    var cookies: CookieCourse?
    /// What `https` is secured by; nil: such a load fails.
    var security: ConnectionSecurity?
    /// Where names stand.
    var names = HostTable()
    /// What is done wrong on the way; nil: nothing.
    var transportFault: TransportFault?
    /// What loads know together of credentials; nil: this one is on its own.
    var keeper: AuthenticationKeeper?
    /// Stands between the state machine and everybody else; for clients that are broken on purpose.
    var makeFilter: (@Sendable () -> any ActionFilter)?

    /// The defaults are those of URLSession.
    init() {}
}

/// Changes what a loader wants done.
package protocol ActionFilter {
    /// `actions` came of `event`; what is returned is done in their place. `loader` is as the event left it.
    mutating func filter(_ actions: [LoadAction], after event: LoadEvent, of loader: Loader) -> [LoadAction]
}
