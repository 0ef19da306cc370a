internal import Foundation
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What is written down of a response.
struct ResponseFacts {
    /// nil for what is no HTTP response, as of `file:` and `data:`.
    let status: String?
    let facts: EventFacts

    /// `hasFields` leaves out the header fields where it is false, as for a `result`.
    init(_ response: URLResponse, hasFields: Bool = true) {
        let code = (response as? HTTPURLResponse)?.statusCode
        status = code.map(String.init)
        var facts: EventFacts = []
        facts.add(.url, response.url?.absoluteString)
        facts.add(.status, code)
        facts.add(.mime, response.mimeType)
        facts.add(.suggestedName, response.suggestedFilename)
        facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
        if hasFields { facts.add(.fields, fields: response.headerFields) }
        self.facts = facts
    }
}

/// What is written down of a challenge.
struct ChallengeFacts {
    /// The argument of the event.
    let kind: String
    let facts: EventFacts

    init(_ challenge: URLAuthenticationChallenge, scope: String) {
        let space = challenge.protectionSpace
        kind = ChallengeKind.name(authenticationMethod: space.authenticationMethod, isProxy: space.isProxy())
        var facts: EventFacts = [EventFact(.scope, .text(scope))]
        facts.add(.realm, space.realm)
        facts.add(.host, space.host)
        facts.add(.port, space.port)
        if !space.isProxy() { facts.add(.protocol, space.protocol) }
        facts.add(.failures, challenge.previousFailureCount)
        facts.add(.proposedUser, challenge.proposedCredential?.user)
        self.facts = facts
    }
}

extension URLResponse {
    /// What a `result` has of it.
    var resultFacts: EventFacts { ResponseFacts(self, hasFields: false).facts }

    /// By name, since a dictionary has no order; none where it is no HTTP response.
    var headerFields: [(name: String, value: String)] {
        let fields = (self as? HTTPURLResponse)?.allHeaderFields ?? [:]
        return fields.compactMap { name, value in
            guard let name = name.base as? String, let value = value as? String else { return nil }
            return (name, value)
        }.sorted { $0.name < $1.name }
    }
}

extension URLRequest {
    /// By name, since a dictionary has no order.
    var headerFields: [(name: String, value: String)] {
        (allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }
}

extension EventFacts {
    /// The numbers of a progress callback.
    static func arithmetic(n: Int64, total: Int64, expected: Int64) -> EventFacts {
        .arithmetic(n: Int(clamping: n), total: Int(clamping: total), expected: Int(clamping: expected))
    }
}
