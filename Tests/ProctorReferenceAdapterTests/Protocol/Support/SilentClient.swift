import Foundation
import ProctorBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that answers nothing, and tells what it heard on which thread.
final class SilentClient: NSObject, URLProtocolClient, Sendable {
    /// The requests of redirects, as they come.
    let redirects: AsyncStream<URLRequest>
    /// Names of calls, as they come.
    let calls: AsyncStream<String>
    private let redirected: AsyncStream<URLRequest>.Continuation
    private let called: AsyncStream<String>.Continuation
    private let threadsHeard = Locked<Set<ObjectIdentifier>>([])
    private let inCall: @Sendable (String) -> Void

    /// `inCall` runs within each call.
    init(_ inCall: @escaping @Sendable (String) -> Void = { _ in }) {
        (redirects, redirected) = AsyncStream.makeStream()
        (calls, called) = AsyncStream.makeStream()
        self.inCall = inCall
    }

    var threads: Set<ObjectIdentifier> { threadsHeard.withLock { $0 } }

    private func hear(_ name: String) {
        threadsHeard.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
        called.yield(name)
        inCall(name)
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        hear("redirect")
        redirected.yield(request)
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        hear("cacheValidated")
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { hear("response") }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { hear("data") }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { hear("finish") }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { hear("fail") }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) { hear("challenge") }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        hear("challengeCancelled")
    }
}

/// Carries a Foundation object to where it is used; the test sees to it that nobody else does meanwhile.
final class Kept<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
