/// What a shape wants of its loader.
public struct LoaderPolicy: Sendable, Equatable {
    /// Redirects that are told of, 0 at least; the next one fails the load (R9).
    public var redirectLimit: Int
    /// Whether the client is shown the canonical form of its request (R7); only the old shapes are.
    public var announcesCanonicalForm: Bool
    /// Whether a complete response that may be stored is offered (R32).
    public var asksToStore: Bool

    /// As URLSession has it, without a cache.
    public init(redirectLimit: Int = 20, announcesCanonicalForm: Bool = false, asksToStore: Bool = false) {
        self.redirectLimit = max(0, redirectLimit)
        self.announcesCanonicalForm = announcesCanonicalForm
        self.asksToStore = asksToStore
    }
}
