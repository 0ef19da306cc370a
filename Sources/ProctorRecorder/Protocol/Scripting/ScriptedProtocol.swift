internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A URLProtocol that plays the script of its request, be the order of its calls legal or not.
///
/// Put it into `protocolClasses` of a session's configuration, or drive it with ``ProtocolDriver``; its requests come
/// from ``ScriptedLoad``. It plays on the thread it is started on if that runs its run loop, as R48 promises. On a thread
/// that does not (Foundation on Linux) only what comes before the first pause happens there, the rest on a thread of its
/// own: a pause there would stop the session.
public final class ScriptedProtocol: URLProtocol {
    private let load: ScriptedLoad?
    private let player: ScriptPlayer

    /// Yes to requests that have a script.
    public override class func canInit(with request: URLRequest) -> Bool {
        guard let load = ScriptedLoad.load(of: request) else { return false }
        load.record(
            .pCanInit, facts: [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(true))])
        return true
    }

    /// The request as it is.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        ScriptedLoad.load(of: request)?.record(
            .pCanonical,
            facts: [EventFact(.request, .text(request.line)), EventFact(.proposed, .text(request.line))])
        return request
    }

    #if canImport(Darwin)
        /// On any thread; a request without a script makes an object that fails.
        public override init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            load = ScriptedLoad.load(of: request)
            player = ScriptPlayer(load)
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            wasMade()
        }
    #else
        /// On any thread; a request without a script makes an object that fails.
        public required init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            load = ScriptedLoad.load(of: request)
            player = ScriptPlayer(load)
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            wasMade()
        }
    #endif

    private func wasMade() {
        player.number = load?.recorder?.number(ofObject: self) ?? 0
        load?.record(.pInit, object: player.number, facts: [EventFact(.request, .text(request.line))])
    }

    deinit { load?.record(.pDeinit, object: player.number) }

    /// Plays the script.
    public override func startLoading() {
        load?.record(.pStart, object: player.number)
        player.start(self)
    }

    /// What the script has behind its next `await-stop` is still played; nothing else is.
    public override func stopLoading() {
        load?.record(.pStop, object: player.number)
        player.stop(self)
    }
}
