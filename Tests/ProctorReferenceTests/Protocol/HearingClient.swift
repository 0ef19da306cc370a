import Foundation
import ProctorBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that answers nothing, and tells what it heard and on which threads.
final class HearingClient: NSObject, URLProtocolClient, Sendable {
    /// Names of calls, as they come.
    let calls: AsyncStream<String>
    private let heard: AsyncStream<String>.Continuation
    private let state = Locked(State())
    private let inCall: @Sendable (String) -> Void

    private struct State {
        var threads: Set<ObjectIdentifier> = []
        var count = 0
        var error: NSError?
    }

    /// `inCall` runs within each call.
    init(_ inCall: @escaping @Sendable (String) -> Void = { _ in }) {
        (calls, heard) = AsyncStream.makeStream()
        self.inCall = inCall
    }

    var threads: Set<ObjectIdentifier> { state.withLock { $0.threads } }
    var count: Int { state.withLock { $0.count } }
    var error: NSError? { state.withLock { $0.error } }

    private func hear(_ name: String) {
        state.withLock { state in
            state.threads.insert(ObjectIdentifier(Thread.current))
            state.count += 1
        }
        heard.yield(name)
        inCall(name)
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        hear("redirect")
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        hear("cacheValidated")
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { hear("response") }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { hear("data") }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { hear("finish") }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        state.withLock { $0.error = error as NSError }
        hear("fail")
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) { hear("challenge") }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        hear("challengeCancelled")
    }
}

/// Carries an object of Foundation to the one thread that uses it.
final class Confined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
