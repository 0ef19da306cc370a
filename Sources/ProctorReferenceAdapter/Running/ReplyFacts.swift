internal import ProctorBase
package import ProctorEvents
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorRecorder
package import ProctorReference

/// What is written down of a response.
package struct ReplyFacts: Sendable {
    /// The argument of the event.
    package let status: String
    /// `url`, `status`, `mime`, `suggestedName`, `expectedLength` and `fields`.
    package let facts: EventFacts

    /// `hasFields` leaves out the header fields where it is false, as for a `result`.
    package init(_ response: LoadResponse, hasFields: Bool = true) {
        status = String(response.status)
        var facts: EventFacts = []
        facts.add(.url, response.url.text)
        facts.add(.status, response.status)
        facts.add(.mime, response.mimeType)
        facts.add(.suggestedName, response.suggestedName)
        facts.add(.expectedLength, response.expectedByteCount ?? -1)
        if hasFields { facts.add(.fields, fields: response.fields.map { ($0.name, $0.value) }) }
        self.facts = facts
    }
}

/// What is written down of a challenge.
package struct ChallengeFacts: Sendable {
    /// The argument of the event.
    package let kind: String
    /// `scope`, the space, and what was tried before.
    package let facts: EventFacts

    /// `scope` is `task` or `session`; nil where the family knows no such thing.
    package init(_ challenge: LoadChallenge, scope: String?) {
        kind = challenge.space.kind
        var facts: EventFacts = []
        facts.add(.scope, scope)
        facts.add(.realm, challenge.space.realm)
        facts.add(.host, challenge.space.origin.host)
        facts.add(.port, challenge.space.origin.port)
        if !challenge.space.isProxy { facts.add(.protocol, challenge.space.origin.scheme.rawValue) }
        facts.add(.failures, challenge.previousFailureCount)
        facts.add(.proposedUser, challenge.proposedCredential?.user)
        self.facts = facts
    }
}

/// What is written down of an end.
package struct FailureFacts: Sendable {
    /// The argument of `complete`: the short name, or `ok`.
    package let name: String
    /// `domain`, `code` and `message`; none for success.
    package let facts: EventFacts

    /// nil is success.
    package init(_ error: LoadError?) {
        guard let error else {
            name = URLErrorName.success
            facts = []
            return
        }
        name = URLErrorName.name(domain: URLErrorName.domain, code: error.code)
        facts = [
            EventFact(.domain, .text(URLErrorName.domain)), EventFact(.code, .integer(error.code)),
            EventFact(.message, .text(error.sentence)),
        ]
    }
}

extension EventFacts {
    /// What a question about a redirect proposes: method and URL, and the header fields.
    package static func proposed(_ request: ClientRequest) -> EventFacts {
        var facts: EventFacts = [EventFact(.proposed, .text("\(request.method) \(request.url.text)"))]
        facts.add(.proposedFields, fields: request.fields.map { ($0.name, $0.value) })
        return facts
    }
}

extension KeptBody {
    /// What a download left in its file; nil when it can't be read.
    init?(ofFile path: String) {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            let start = try file.bytes(from: 0, byteCount: min(file.byteCount, Self.limit))
            self.init(start, byteCount: file.byteCount)
        } catch {
            return nil
        }
    }
}
