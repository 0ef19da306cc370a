internal import ProctorBase
import ProctorEvents
public import ProctorProgram

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

/// A script for a ``ScriptedProtocol`` and the request that leads to it; the script is known as long as this lives.
///
/// The way from a request to its script is a URL of a scheme of its own in `mainDocumentURL`: it survives in Foundation
/// on Linux, which forgets the properties of URLProtocol, and no loader puts it on the wire. So scripts of different
/// tests do not meet, and a request without one is none of the class's business.
public final class ScriptedLoad: Sendable {
    /// What the protocol does, in order.
    public let calls: [Assignment.ProtocolCall]
    /// Where the protocol writes down what happens to it and what it calls; nil where a ``ProtocolDriver`` does.
    public let recorder: TraceRecorder?
    /// The task in whose name it loads.
    public let task: Int
    private let number: Int
    private let original: Handover<URLRequest>
    /// Scripts of the requests it redirects to.
    private let followers = Locked<[ScriptedLoad]>([])

    private static let scheme = "proctor-script"
    private static let known = Locked(Known())

    private struct Known {
        var last = 0
        var loads: [Int: WeakReference<ScriptedLoad>] = [:]
    }

    /// Keep it until the load is over.
    public init(
        _ calls: [Assignment.ProtocolCall], for request: URLRequest, recorder: TraceRecorder? = nil, task: Int = 0
    ) {
        self.calls = calls
        self.recorder = recorder
        self.task = task
        original = Handover(value: request)
        number = Self.known.withLock { known in
            known.last += 1
            return known.last
        }
        let number = number
        let reference = WeakReference(self)
        Self.known.withLock { $0.loads[number] = reference }
    }

    deinit {
        let number = number
        Self.known.withLock { $0.loads[number] = nil }
    }

    /// The request to load: nothing of it that a server sees differs from the one that was given.
    public var request: URLRequest {
        var request = original.value
        request.mainDocumentURL = URL(string: "\(Self.scheme):\(number)")
        return request
    }

    /// nil for a request that has no script, or whose script is gone.
    static func load(of request: URLRequest) -> ScriptedLoad? {
        guard let url = request.mainDocumentURL, url.scheme == scheme,
            let number = Int(url.absoluteString.dropFirst(scheme.count + 1))
        else { return nil }
        return known.withLock { $0.loads[number]?.object }
    }

    /// A request whose script goes on with `calls`, which are known as long as this script is.
    func request(_ request: URLRequest, goingOnWith calls: ArraySlice<Assignment.ProtocolCall>) -> URLRequest {
        let follower = ScriptedLoad(Array(calls), for: request, recorder: recorder, task: task)
        followers.withLock { $0.append(follower) }
        return follower.request
    }

    func record(_ name: EventName, object: Int? = nil, facts: EventFacts = []) {
        recorder?.record(
            TraceEvent(lane: .proto, task: task, object: object, name: name, family: .proto, facts: facts))
    }
}
