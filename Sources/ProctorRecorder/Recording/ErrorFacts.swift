internal import Foundation
internal import ProctorTrace

/// What is written down of an error.
struct ErrorFacts {
    /// The neutral name, or `ok` where there is none.
    let name: String
    /// Domain, code and description; empty without an error.
    let facts: EventFacts

    init(_ error: (any Error)?) {
        guard let error else {
            name = "ok"
            facts = []
            return
        }
        let description = error as NSError
        name = URLErrorName.name(domain: description.domain, code: description.code)
        facts = [
            EventFact(.domain, .text(description.domain)), EventFact(.code, .integer(description.code)),
            EventFact(.message, .text(description.localizedDescription)),
        ]
    }
}
