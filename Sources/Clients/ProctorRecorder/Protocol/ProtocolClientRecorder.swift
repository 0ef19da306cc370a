public import Foundation
internal import ProctorEvents

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A client of one URLProtocol object that records every call, and its return, in lane `protocolClient`.
///
/// Any thread may call it, so that a protocol that breaks R48 is recorded. It answers no challenges; a
/// ``ProtocolDriver`` does.
public final class ProtocolClientRecorder: NSObject, URLProtocolClient, Sendable {
    /// The recorder that receives the events.
    public let recorder: TraceRecorder
    /// The number of the object in the trace.
    public let object: Int
    /// The task for which the object loads.
    public let task: Int
    private let fieldNames: [String]
    private let heard: @Sendable (ProtocolClientCall) -> Void

    /// Makes the client of one object; each object needs its own.
    public convenience init(recorder: TraceRecorder, object: Int, task: Int = 0) {
        self.init(recorder: recorder, object: object, task: task, heard: { _ in })
    }

    /// `heard` is called inside each call, on the caller's thread, between the records of its beginning and its return.
    ///
    /// The events of responses and redirects contain the header fields with the given names.
    init(
        recorder: TraceRecorder, object: Int, task: Int, fieldNames: [String] = [],
        heard: @escaping @Sendable (ProtocolClientCall) -> Void
    ) {
        (self.recorder, self.object, self.task, self.fieldNames) = (recorder, object, task, fieldNames)
        self.heard = heard
    }

    private func record(_ call: ProtocolClientCall) {
        let event = recorder.record(call.event(task: task, object: object, asking: fieldNames))
        heard(call)
        recorder.recordReturn(of: event)
    }

    /// Writes `redirect(STATUS)`.
    public func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        record(.redirect(request, redirectResponse))
    }

    /// Writes `cacheValidated`.
    public func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        record(.cacheValidated(cachedResponse))
    }

    /// Writes `response(STATUS)`.
    public func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        record(.response(response, policy))
    }

    /// Writes `data`.
    public func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { record(.data(data)) }

    /// Writes `complete(ok)`.
    public func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { record(.finish) }

    /// Writes `complete` with the name of the error.
    public func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { record(.fail(error)) }

    /// Writes `challenge(KIND)`.
    public func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        record(.challenge(challenge))
    }

    /// Writes `challengeCancelled(KIND)`.
    public func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        record(.cancelChallenge(challenge))
    }
}

/// One call of a URLProtocol on its client, used both to make it and to record it.
enum ProtocolClientCall {
    case redirect(URLRequest, URLResponse)
    case response(URLResponse, URLCache.StoragePolicy)
    case data(Data)
    case cacheValidated(CachedURLResponse)
    case finish
    case fail(any Error)
    case challenge(URLAuthenticationChallenge)
    case cancelChallenge(URLAuthenticationChallenge)

    var name: EventName {
        switch self {
        case .redirect: .redirect
        case .response: .response
        case .data: .data
        case .cacheValidated: .cacheValidated
        case .finish, .fail: .complete
        case .challenge: .challenge
        case .cancelChallenge: .challengeCancelled
        }
    }

    /// The event in lane `protocolClient`.
    func event(task: Int, object: Int, asking names: [String] = []) -> TraceEvent {
        TraceEvent(
            lane: .protocolClient, task: task, object: object, name: name, argument: argument, family: .urlProtocol,
            facts: facts(asking: names)
        )
    }

    private var argument: String? {
        switch self {
        case .redirect(_, let response), .response(let response, _): String(Self.status(of: response))
        case .data, .cacheValidated: nil
        case .finish: "ok"
        case .fail(let error): EventDetail(error).argument
        case .challenge(let challenge), .cancelChallenge(let challenge):
            ChallengeKind.name(
                authenticationMethod: challenge.protectionSpace.authenticationMethod,
                isProxy: challenge.protectionSpace.isProxy())
        }
    }

    private func facts(asking names: [String]) -> EventFacts {
        var facts: EventFacts = [EventFact(.sel, .text(selector))]
        switch self {
        case .redirect(let request, let response):
            facts.add(.method, request.httpMethod)
            facts.add(.url, request.url?.absoluteString)
            facts.add(.status, (response as? HTTPURLResponse)?.statusCode)
            facts.add(.proposed, request.line)
            facts.addNames(.proposedFields, fields: request.headerFields)
            facts.addFields(names) { (response as? HTTPURLResponse)?.value(forHTTPHeaderField: $0) }
        case .response(let response, let policy):
            facts.add(.url, response.url?.absoluteString)
            facts.add(.status, (response as? HTTPURLResponse)?.statusCode)
            facts.add(.mime, response.mimeType)
            facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
            facts.addNames(.fields, fields: response.headerFields)
            facts.add(.storage, CacheStorageName.name(of: policy))
        case .data(let data): facts = facts.appending(.content(of: data))
        case .cacheValidated(let cached): facts.add(.url, cached.response.url?.absoluteString)
        case .finish: break
        case .fail(let error): facts = facts.appending(EventDetail(error).facts)
        case .challenge(let challenge), .cancelChallenge(let challenge):
            facts.add(.realm, challenge.protectionSpace.realm)
            facts.add(.host, challenge.protectionSpace.host)
            facts.add(.port, challenge.protectionSpace.port)
            if !challenge.protectionSpace.isProxy() { facts.add(.protocol, challenge.protectionSpace.protocol) }
            facts.add(.proposedUser, challenge.proposedCredential?.user)
            facts.add(.failures, challenge.previousFailureCount)
        }
        return facts
    }

    private var selector: String {
        switch self {
        case .redirect: "urlProtocol(_:wasRedirectedTo:redirectResponse:)"
        case .response: "urlProtocol(_:didReceive:cacheStoragePolicy:)"
        case .data: "urlProtocol(_:didLoad:)"
        case .cacheValidated: "urlProtocol(_:cachedResponseIsValid:)"
        case .finish: "urlProtocolDidFinishLoading(_:)"
        case .fail: "urlProtocol(_:didFailWithError:)"
        case .challenge: "urlProtocol(_:didReceive:)"
        case .cancelChallenge: "urlProtocol(_:didCancel:)"
        }
    }

    /// The status; 200 for responses of `file:` or `data:`, which have none, since expressions count 200 as success.
    private static func status(of response: URLResponse) -> Int { (response as? HTTPURLResponse)?.statusCode ?? 200 }

    func make(on client: any URLProtocolClient, by caller: URLProtocol) {
        switch self {
        case .redirect(let request, let response):
            client.urlProtocol(caller, wasRedirectedTo: request, redirectResponse: response)
        case .response(let response, let policy):
            client.urlProtocol(caller, didReceive: response, cacheStoragePolicy: policy)
        case .data(let data): client.urlProtocol(caller, didLoad: data)
        case .cacheValidated(let cached): client.urlProtocol(caller, cachedResponseIsValid: cached)
        case .finish: client.urlProtocolDidFinishLoading(caller)
        case .fail(let error): client.urlProtocol(caller, didFailWithError: error)
        case .challenge(let challenge): client.urlProtocol(caller, didReceive: challenge)
        case .cancelChallenge(let challenge): client.urlProtocol(caller, didCancel: challenge)
        }
    }
}
