internal import Foundation
internal import ProctorEvents
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A client of one URLProtocol object that records every call, and its return, in lane `protocolClient`.
///
/// Any thread may call it, so that a protocol that breaks R48 is recorded. It answers no challenges; a
/// ``ProtocolDriver`` does.
final class ProtocolClientRecorder: NSObject, URLProtocolClient, Sendable {
    /// The recorder that receives the events.
    let recorder: TraceRecorder
    /// The number of the object in the trace.
    let object: Int
    /// The task for which the object loads.
    let task: Int
    private let fieldNames: [String]
    private let heard: @Sendable (ProtocolClientCall) -> Void

    /// Makes the client of one object; each object needs its own.
    ///
    /// `heard` is called inside each call, on the caller's thread, between the records of its beginning and its return.
    /// The events of responses and redirects contain the header fields with the given names.
    init(
        recorder: TraceRecorder, object: Int, task: Int = 0, fieldNames: [String] = [],
        heard: @escaping @Sendable (ProtocolClientCall) -> Void = { _ in }
    ) {
        (self.recorder, self.object, self.task, self.fieldNames) = (recorder, object, task, fieldNames)
        self.heard = heard
    }

    private func record(_ call: ProtocolClientCall) {
        let event = recorder.record(call.event(task: task, object: object, asking: fieldNames))
        heard(call)
        recorder.recordReturn(of: event)
    }

    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
        record(.redirect(request, redirectResponse))
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        record(.cacheValidated(cachedResponse))
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        record(.response(response, policy))
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { record(.data(data)) }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { record(.finish) }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { record(.fail(error)) }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        record(.challenge(challenge))
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
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

    var name: EventName { row.name }

    private var row: (name: EventName, selector: String) {
        switch self {
        case .redirect: (.redirect, "urlProtocol(_:wasRedirectedTo:redirectResponse:)")
        case .response: (.response, "urlProtocol(_:didReceive:cacheStoragePolicy:)")
        case .data: (.data, "urlProtocol(_:didLoad:)")
        case .cacheValidated: (.cacheValidated, "urlProtocol(_:cachedResponseIsValid:)")
        case .finish: (.complete, "urlProtocolDidFinishLoading(_:)")
        case .fail: (.complete, "urlProtocol(_:didFailWithError:)")
        case .challenge: (.challenge, "urlProtocol(_:didReceive:)")
        case .cancelChallenge: (.challengeCancelled, "urlProtocol(_:didCancel:)")
        }
    }

    /// The event in lane `protocolClient`.
    func event(task: Int, object: Int, asking names: [String] = []) -> TraceEvent {
        let detail = detail(asking: names)
        return TraceEvent(
            lane: .protocolClient, task: task, object: object, name: name, argument: detail.argument,
            family: .urlProtocol, facts: ([EventFact(.sel, .text(row.selector))] as EventFacts).appending(detail.facts))
    }

    private func detail(asking names: [String]) -> EventDetail {
        var facts: EventFacts = []
        switch self {
        case .redirect(let request, let response):
            facts.add(.method, request.httpMethod)
            facts.add(.url, request.url?.absoluteString)
            facts.add(.status, (response as? HTTPURLResponse)?.statusCode)
            facts.add(.proposed, request.line)
            facts.addNames(.proposedFields, fields: request.headerFields)
            facts.addFields(names) { (response as? HTTPURLResponse)?.value(forHTTPHeaderField: $0) }
            return EventDetail(String(Self.status(of: response)), facts: facts)
        case .response(let response, let policy):
            facts.add(.url, response.url?.absoluteString)
            facts.add(.status, (response as? HTTPURLResponse)?.statusCode)
            facts.add(.mime, response.mimeType)
            facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
            facts.addNames(.fields, fields: response.headerFields)
            facts.add(.storage, CacheStorageName.name(of: policy))
            return EventDetail(String(Self.status(of: response)), facts: facts)
        case .data(let data): return EventDetail(facts: .content(of: data))
        case .cacheValidated(let cached):
            facts.add(.url, cached.response.url?.absoluteString)
            return EventDetail(facts: facts)
        case .finish: return .success
        case .fail(let error): return EventDetail(error)
        case .challenge(let challenge), .cancelChallenge(let challenge):
            let space = challenge.protectionSpace
            facts.add(.realm, space.realm)
            facts.add(.host, space.host)
            facts.add(.port, space.port)
            if !space.isProxy() { facts.add(.protocol, space.protocol) }
            facts.add(.proposedUser, challenge.proposedCredential?.user)
            facts.add(.failures, challenge.previousFailureCount)
            let kind = ChallengeKind.name(authenticationMethod: space.authenticationMethod, isProxy: space.isProxy())
            return EventDetail(kind, facts: facts)
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
