public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A client for one URLProtocol object that writes down all it is told, in lane `protocolClient`, with the return too.
///
/// Takes calls on any thread, so that a protocol that breaks R48 shows. It answers nothing by itself: a
/// ``ProtocolDriver`` does.
public final class ProtocolClientRecorder: NSObject, URLProtocolClient, Sendable {
    /// Where it writes.
    public let recorder: TraceRecorder
    /// The number of the object in the trace.
    public let object: Int
    /// The task in whose name the object loads.
    public let task: Int
    private let heard: @Sendable (ProtocolClientCall) -> Void

    /// For one object; give each object a client of its own.
    public convenience init(recorder: TraceRecorder, object: Int, task: Int = 0) {
        self.init(recorder: recorder, object: object, task: task, heard: { _ in })
    }

    /// `heard` is called inside each call, on the thread of the caller, between its beginning and its return.
    init(
        recorder: TraceRecorder, object: Int, task: Int, heard: @escaping @Sendable (ProtocolClientCall) -> Void
    ) {
        self.recorder = recorder
        self.object = object
        self.task = task
        self.heard = heard
    }

    private func take(_ call: ProtocolClientCall) {
        let event = recorder.record(call.event(task: task, object: object))
        heard(call)
        recorder.recordReturn(of: event)
    }

    /// Writes `redirect(STATUS)`.
    public func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        take(.redirect(request, redirectResponse))
    }

    /// Writes `cacheValidated`.
    public func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        take(.cacheValidated(cachedResponse))
    }

    /// Writes `response(STATUS)`.
    public func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        take(.response(response, policy))
    }

    /// Writes `data`.
    public func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { take(.data(data)) }

    /// Writes `complete(ok)`.
    public func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { take(.finish) }

    /// Writes `complete` with the name of the error.
    public func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { take(.fail(error)) }

    /// Writes `challenge(KIND)`.
    public func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        take(.challenge(challenge))
    }

    /// Writes `challengeCancelled(KIND)`.
    public func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        take(.cancelChallenge(challenge))
    }
}
