internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a client has of a load in the end.
struct LoadOutcome {
    /// Why there is no more, where it was not the protocol that said so.
    var message: String?
    private var response: URLResponse?
    private var body = KeptBody()
    private var error: (any Error)?

    /// A further response starts the body again (R26).
    mutating func take(_ call: ProtocolClientCall) {
        switch call {
        case .response(let response, _):
            self.response = response
            body = KeptBody()
        case .data(let data):
            body.append(data)
        case .cacheValidated(let cached):
            response = cached.response
            body = KeptBody(cached.data, byteCount: cached.data.count)
        case .fail(let error): self.error = error
        case .redirect, .challenge, .cancelChallenge, .finish: break
        }
    }

    var facts: EventFacts {
        var facts: EventFacts = []
        if let response {
            facts.add(.url, response.url?.absoluteString)
            facts.add(.status, (response as? HTTPURLResponse)?.statusCode)
            facts.add(.mime, response.mimeType)
            facts.add(.suggestedName, response.suggestedFilename)
            facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
        }
        facts = facts.appending(body.facts)
        if let error {
            let told = ErrorFacts(error)
            facts.add(.error, told.name)
            facts = facts.appending(told.facts)
        }
        // The first fact of a key counts: why the driver ended it goes before what the protocol said.
        if let message { facts = EventFacts([EventFact(.message, .text(message))] + Array(facts)) }
        return facts
    }
}
