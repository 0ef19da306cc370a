internal import ProctorBase
import ProctorEvents
package import ProctorProgram
package import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A URLProtocol that plays the script of its request, whether the order of its calls is permitted or not.
///
/// Put it into `protocolClasses` of a session's configuration, or use it with ``ProtocolDriver``; its requests come
/// from ``ScriptedLoad``. It plays on the thread that starts it, if that thread runs its run loop, as R48 requires. On
/// other threads (Foundation on Linux), only the calls before the first pause are made there, and the rest on a thread
/// of its own, since a pause would stop the session.
package class ScriptedProtocol: URLProtocol {
    private let load: ScriptedLoad?
    private let player: ScriptPlayer

    /// The index of the class among those of the assignment; nil: it belongs to no list.
    class var place: Int? { nil }

    private static func definition(in load: ScriptedLoad?) -> ProtocolClass? {
        place.flatMap { place in load.flatMap { $0.classes.indices.contains(place) ? $0.classes[place] : nil } }
    }

    /// Accepts requests that have a script, or as the class's definition says.
    package override class func canInit(with request: URLRequest) -> Bool {
        guard let load = ScriptedLoad.load(of: request) else { return false }
        let definition = definition(in: load)
        guard place == nil || definition != nil else { return false }
        let accepts = definition?.takes(scheme: request.url?.scheme, path: request.url?.path ?? "") ?? true
        load.record(
            .pCanInit, argument: definition?.name,
            facts: [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts))])
        return accepts
    }

    /// Returns the request unchanged.
    package override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        ScriptedLoad.load(of: request)?.record(
            .pCanonical,
            facts: [EventFact(.request, .text(request.line)), EventFact(.proposed, .text(request.line))])
        return request
    }

    /// Compares method and URL, as its canonical form changes neither.
    package override class func requestIsCacheEquivalent(_ request: URLRequest, to other: URLRequest) -> Bool {
        let isEquivalent = request.line == other.line
        ScriptedLoad.load(of: request)?.record(
            .pCacheEquivalent,
            facts: [
                EventFact(.request, .text(request.line)), EventFact(.proposed, .text(other.line)),
                EventFact(.accepts, .flag(isEquivalent)),
            ])
        return isEquivalent
    }

    #if canImport(Darwin)
        /// Makes an object on any thread; without a script its load fails.
        package override init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            load = ScriptedLoad.load(of: request)
            player = ScriptPlayer(load, of: Self.definition(in: load))
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            wasMade()
        }
    #else
        /// Makes an object on any thread; without a script its load fails.
        package required init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            load = ScriptedLoad.load(of: request)
            player = ScriptPlayer(load, of: Self.definition(in: load))
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            wasMade()
        }
    #endif

    private func wasMade() {
        player.number = load?.recorder?.objectNumber(of: self) ?? 0
        load?.record(
            .pInit, argument: Self.definition(in: load)?.name, object: player.number,
            facts: [EventFact(.request, .text(request.line))])
    }

    deinit { load?.record(.pDeinit, object: player.number) }

    /// Plays the script.
    package override func startLoading() {
        load?.record(.pStart, object: player.number)
        player.start(self)
    }

    /// Plays only the calls after the script's next `await-stop`.
    package override func stopLoading() {
        load?.record(.pStop, object: player.number)
        player.stop(self)
    }
}

/// A script for a ``ScriptedProtocol``, with its request; the script exists as long as this object.
///
/// A URL with a scheme of its own in `mainDocumentURL` connects a request with its script: Foundation on Linux keeps
/// that URL, unlike the properties of URLProtocol, and no loader sends it. So scripts of different tests are separate,
/// and the class ignores requests without a script.
package final class ScriptedLoad: Sendable {
    /// The calls of the script, in order.
    package let calls: [Assignment.ProtocolCall]
    /// The classes that are asked about the request; empty: only ``ScriptedProtocol``.
    let classes: [ProtocolClass]
    /// Records the calls from and to the protocol; nil when a ``ProtocolDriver`` records them.
    package let recorder: TraceRecorder?
    /// The task that it loads for.
    package let task: Int
    private let number: Int
    private let original: Handover<URLRequest>
    /// Scripts of requests after redirects.
    private let followers = Locked<[ScriptedLoad]>([])

    private static let scheme = "proctor-script"
    private static let known = Locked(Known())

    private struct Known {
        var last = 0
        var loads: [Int: WeakReference<ScriptedLoad>] = [:]
    }

    /// Makes a load; keep it until the load is over.
    package convenience init(
        _ calls: [Assignment.ProtocolCall], for request: URLRequest, recorder: TraceRecorder? = nil, task: Int = 0
    ) {
        self.init(calls, for: request, classes: [], recorder: recorder, task: task)
    }

    /// A load about whose request `classes` are asked; without calls, the response is the class's name.
    package init(
        _ calls: [Assignment.ProtocolCall], for request: URLRequest, classes: [ProtocolClass],
        recorder: TraceRecorder? = nil, task: Int = 0
    ) {
        (self.calls, self.classes, self.recorder, self.task) = (calls, classes, recorder, task)
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

    /// The request to load; a server receives the same request as without a script.
    package var request: URLRequest {
        var request = original.value
        request.mainDocumentURL = URL(string: "\(Self.scheme):\(number)")
        return request
    }

    /// nil for a request without a script, or with a script that was released.
    static func load(of request: URLRequest) -> ScriptedLoad? {
        guard let url = request.mainDocumentURL, url.scheme == scheme,
            let number = Int(url.absoluteString.dropFirst(scheme.count + 1))
        else { return nil }
        return known.withLock { $0.loads[number]?.object }
    }

    /// A request whose script continues with `calls`; it exists as long as this script.
    func request(_ request: URLRequest, goingOnWith calls: ArraySlice<Assignment.ProtocolCall>) -> URLRequest {
        let follower = ScriptedLoad(
            Array(calls), for: request, classes: classes, recorder: recorder, task: task)
        followers.withLock { $0.append(follower) }
        return follower.request
    }

    func record(_ name: EventName, argument: String? = nil, object: Int? = nil, facts: EventFacts = []) {
        recorder?.record(
            TraceEvent(
                lane: .proto, task: task, object: object, name: name, argument: argument, family: .proto, facts: facts))
    }
}

/// The Swift classes for the classes in an assignment's list, since Swift makes no classes at run time.
///
/// Which requests each class loads depends on the request's ``ScriptedLoad``, so that tests in one process do not
/// affect each other.
enum NamedProtocols {
    static let all: [URLProtocol.Type] = [
        FirstProtocol.self, SecondProtocol.self, ThirdProtocol.self, FourthProtocol.self,
    ]

    /// The classes for a list's entries with that place, in the order of the list.
    static func classes(of list: [ProtocolClass], in place: ProtocolClass.Place) -> [URLProtocol.Type] {
        zip(list, all).filter { $0.0.place == place }.map(\.1)
    }

    private final class FirstProtocol: ScriptedProtocol {
        override class var place: Int? { 0 }
    }

    private final class SecondProtocol: ScriptedProtocol {
        override class var place: Int? { 1 }
    }

    private final class ThirdProtocol: ScriptedProtocol {
        override class var place: Int? { 2 }
    }

    private final class FourthProtocol: ScriptedProtocol {
        override class var place: Int? { 3 }
    }
}

extension ProtocolClass {
    /// The calls of an object of the class when its step has no script.
    var usualCalls: [Assignment.ProtocolCall] {
        [
            Assignment.ProtocolCall(.response(status: 200, mime: "text/plain", storage: nil)),
            Assignment.ProtocolCall(.data(name + "\n")), Assignment.ProtocolCall(.finish),
        ]
    }
}
