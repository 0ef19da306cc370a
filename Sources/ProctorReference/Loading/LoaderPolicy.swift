/// What a shape wants of its loader.
public struct LoaderPolicy: Sendable, Equatable {
    /// Redirects that are told of; the next one fails the load (R9).
    public var redirectLimit: Int
    /// Whether the client is shown each request that the loader rewrote (R7); only the old shapes are.
    public var announcesCanonicalForm: Bool
    /// Whether a complete response that may be stored is offered (R32).
    public var asksToStore: Bool

    /// As URLSession has it, without a cache.
    public init(redirectLimit: Int = 20, announcesCanonicalForm: Bool = false, asksToStore: Bool = false) {
        self.redirectLimit = redirectLimit
        self.announcesCanonicalForm = announcesCanonicalForm
        self.asksToStore = asksToStore
    }
}
