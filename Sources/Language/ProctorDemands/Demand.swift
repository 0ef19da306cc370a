package import ProctorBase
package import ProctorScenario

/// A requirement of a document, of a callback rule or of the caller, with its subject; a must rests on one.
package struct Demand: Sendable, Equatable {
    /// The id, unique in its catalogue; `R12` for a callback rule.
    package let id: String
    /// The section as the `spec` of a case cites it: `RFC 9110 §15.4.8`.
    package let section: String
    package let keyword: Keyword
    package let subject: Subject
    /// What the subject must do, in this project's own words.
    package let text: String
    package let location: SourceLocation

    /// The keyword that says how binding the requirement is.
    package enum Keyword: String, Sendable, CaseIterable {
        case must = "MUST"
        case mustNot = "MUST NOT"
        case required = "REQUIRED"
        case shall = "SHALL"
        case shallNot = "SHALL NOT"
        /// The grammar, or the definition of the element, permits one reading only.
        case syntax
        /// The document specifies the steps of an algorithm, and every implementation must have the same result.
        case algorithm
        /// A rule of callback order, as binding as its own source.
        case callback
        /// A promise in the documents of an API to its caller.
        case documented
        /// An instruction of the case's program to the client, such as a time limit or a cancel.
        case caller
        case should = "SHOULD"
        case shouldNot = "SHOULD NOT"
        case may = "MAY"

        /// Whether a must can rest on this keyword.
        package var binds: Bool { ![.should, .shouldNot, .may].contains(self) }
    }

    /// The subject that the document names.
    package enum Subject: String, Sendable, CaseIterable {
        case client
        case userAgent = "user agent"
        case sender
        case recipient
        case endpoint
        case implementation
        case cache
        case encoder
        case decoder
        /// The implementation that validates a certificate or a certification path.
        case verifier
        /// The session, the connection or the loading system in Foundation's documents.
        case loadingSystem = "loading system"
        case server
        case originServer = "origin server"
        case proxy
        case gateway
        /// A proxy, a gateway or a tunnel.
        case intermediary
        case authority = "certification authority"

        /// Whether the subject is a client in at least one of its roles.
        package var isClient: Bool {
            ![.server, .originServer, .proxy, .gateway, .intermediary, .authority].contains(self)
        }

        /// Whether the subject stands between a client and a server, or is the server that it is to the client.
        package var isIntermediary: Bool { [.server, .proxy, .gateway, .intermediary, .cache].contains(self) }

        package var withArticle: String { (rawValue.first.map("aeio".contains) ?? false ? "an " : "a ") + rawValue }
    }

    package init(
        id: String, section: String, keyword: Keyword, subject: Subject, text: String, location: SourceLocation
    ) {
        (self.id, self.section, self.keyword, self.subject, self.text) = (id, section, keyword, subject, text)
        self.location = location
    }

    /// Whether a must of the case can rest on the requirement: one that sends given bytes is about what stands between.
    package func binds(_ item: Case) -> Bool { keyword.binds && isOfSubject(of: item) }

    package func isOfSubject(of item: Case) -> Bool {
        item.sendsBytes ? subject.isIntermediary : subject.isClient
    }

    /// Subject, keyword and requirement: `user agent MUST NOT: change the method`.
    package var sentence: String { "\(subject.rawValue), \(keyword.rawValue): \(text)" }
}
