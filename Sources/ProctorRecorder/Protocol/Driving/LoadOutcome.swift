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
    private var body = Data()
    private var byteCount = 0
    private var error: (any Error)?

    /// Longer bodies are counted, not kept.
    private static let mostKept = 1 << 20

    /// A further response starts the body again (R26).
    mutating func take(_ call: ProtocolClientCall) {
        switch call {
        case .response(let response, _):
            self.response = response
            body = Data()
            byteCount = 0
        case .data(let data):
            byteCount += data.count
            if byteCount <= Self.mostKept { body.append(data) }
        case .cacheValidated(let cached):
            response = cached.response
            body = cached.data
            byteCount = body.count
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
        facts.add(.bytes, byteCount)
        if byteCount == body.count {
            if let text = String(validating: body, as: UTF8.self), !text.utf8.contains(0) {
                facts.add(.body, text)
            } else {
                facts.add(.bodyBase64, body.base64EncodedString())
            }
        }
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
