/// One call of a URLProtocol on its client, before Foundation's objects are made of it.
package enum ProtocolCall: Sendable, Equatable {
    /// `wasRedirectedTo`.
    case redirect(ClientRequest, from: LoadResponse)
    /// `cachedResponseIsValid`, with the response that the object was given.
    case cacheValidated
    /// `didReceive response`.
    case response(LoadResponse)
    /// `didLoad`; never empty.
    case data([UInt8])
    /// `didFinishLoading`.
    case finish
    /// `didFailWithError`, of NSURLErrorDomain.
    case fail(LoadError)
    /// `didFailWithError` with Cocoa's `userCancelled`: what Apple's sample says after a redirect.
    case failCancelled
    /// `didReceive challenge`.
    case challenge(LoadChallenge)
    /// `didCancel challenge`.
    case challengeCancelled(LoadChallenge)
}
