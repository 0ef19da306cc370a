package import ProctorBase

/// What a document, a callback rule or the caller demands, and of whom: the ground of a must.
public struct Demand: Sendable, Equatable {
    /// Unique in its catalogue; `R12` of a callback rule.
    public let id: String
    /// As the `spec` of a case cites it: `RFC 9110 §15.4.8`.
    public let section: String
    package let keyword: Keyword
    package let subject: Subject
    /// What the subject must do, in words of this project.
    public let text: String
    package let location: SourceLocation

    /// The word that binds the subject.
    package enum Keyword: String, Sendable, CaseIterable {
        case must = "MUST"
        case mustNot = "MUST NOT"
        case required = "REQUIRED"
        case shall = "SHALL"
        case shallNot = "SHALL NOT"
        /// The grammar, or the definition of the element, leaves one reading.
        case syntax
        /// The document gives the steps of an algorithm, and nothing else is an implementation of it.
        case algorithm
        /// A rule of callback order, by its own source.
        case callback
        /// What the documents of an API promise to its caller.
        case documented
        /// What the program of a case tells the client: a time limit, a cancel.
        case caller
        case should = "SHOULD"
        case shouldNot = "SHOULD NOT"
        case may = "MAY"

        /// Whether a must can rest on it.
        package var binds: Bool { ![.should, .shouldNot, .may].contains(self) }
    }

    /// Whom the document names.
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
        /// Who validates a certificate or a path.
        case verifier
        /// The session, the connection or the loading system of Foundation's documents.
        case loadingSystem = "loading system"
        case server
        case originServer = "origin server"
        case proxy
        case gateway
        case authority = "certification authority"

        /// Whether a client is one, in some of its roles.
        package var isClient: Bool {
            ![.server, .originServer, .proxy, .gateway, .authority].contains(self)
        }

        var withArticle: String { (rawValue.first.map("aeio".contains) ?? false ? "an " : "a ") + rawValue }
    }

    package init(
        id: String, section: String, keyword: Keyword, subject: Subject, text: String, location: SourceLocation
    ) {
        self.id = id
        self.section = section
        self.keyword = keyword
        self.subject = subject
        self.text = text
        self.location = location
    }

    /// Whether a must can rest on it.
    package var bindsClient: Bool { keyword.binds && subject.isClient }

    /// `user agent MUST NOT: change the method`.
    package var sentence: String { "\(subject.rawValue), \(keyword.rawValue): \(text)" }
}
