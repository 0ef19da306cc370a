internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What is written down of a response.
struct ResponseFacts {
    /// nil for what is no HTTP response, as of `file:` and `data:`.
    let status: String?
    let facts: EventFacts

    init(_ response: URLResponse) {
        let code = (response as? HTTPURLResponse)?.statusCode
        status = code.map(String.init)
        var facts: EventFacts = []
        facts.add(.url, response.url?.absoluteString)
        facts.add(.status, code)
        facts.add(.mime, response.mimeType)
        facts.add(.suggestedName, response.suggestedFilename)
        facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
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
        facts.add(.failures, challenge.previousFailureCount)
        facts.add(.proposedUser, challenge.proposedCredential?.user)
        self.facts = facts
    }
}

extension EventFacts {
    /// The numbers of a progress callback.
    static func arithmetic(n: Int64, total: Int64, expected: Int64) -> EventFacts {
        .arithmetic(n: Int(clamping: n), total: Int(clamping: total), expected: Int(clamping: expected))
    }
}
