import ProctorBase
import ProctorHTTP
package import ProctorProgram

/// What is known of a fact beside its measurement.
///
/// The name, the schema's pattern of names, the words of messages, what values are accepted, in which runs it can be
/// asked, and where a report shows it come from the row. `ProctorGrading`, or the module that registers the fact's group,
/// has it beside how the fact is measured.
package struct FactRow: Sendable {
    /// As fixtures write it, below its group: `body.length`; `headers.NAME` for a word of the file, `parts[N].type` for a number.
    package let name: String
    /// The subject of a sentence, in which `$` is the owner, `NAME` the word, and `#` the number, from 1.
    private let template: String
    package let values: FactValues
    package private(set) var scope: FactScope
    /// The fields of the request from which it is measured.
    package private(set) var fields: [String]
    package private(set) var place: FactPlace
    package internal(set) var subject: Claim.Subject
    /// What the scenario must have; nil: nothing.
    package internal(set) var technology: FactTechnology?
    /// The store of the client that is read for it; nil: none.
    package let store: StoreToRead?
    private var fact: NamedFact?
    /// `wire[0].`, and what it is called in sentences: `request 1`.
    private var group = "", owner = ""
    /// What stands behind the words.
    private var end = ""

    /// In the place of a word of the file.
    package static let word = "NAME"

    /// A field, in the scope, the fields and the place, is `NAME` too.
    package init(
        _ name: String, _ template: String, _ values: FactValues = .text, over scope: FactScope = .allVersions,
        fields: [String] = [], shownBy place: FactPlace = .nowhere, subject: Claim.Subject = .request,
        of technology: FactTechnology? = nil, from store: StoreToRead? = nil
    ) {
        (self.name, self.template, self.values) = (name, template, values)
        (self.scope, self.fields, self.place) = (scope, fields, place)
        (self.subject, self.technology, self.store) = (subject, technology, store)
    }

    /// What stands before the word of the file; nil where there is none.
    var stem: String? { name.hasSuffix(".\(Self.word)") ? String(name.dropLast(Self.word.count)) : nil }

    /// Whether the client looks up the field that the word names, which then is a token (RFC 9110 §5.1).
    var looksUp: Bool { ["header.", "trailer."].contains { name.hasSuffix($0 + Self.word) } }

    func accepts(_ word: String) -> Bool {
        !word.isEmpty && (!looksUp || word.utf8.allSatisfy(\.isTokenByte))
    }

    /// The row of one fact, with its number and its word.
    func naming(_ fact: NamedFact) -> FactRow {
        var row = self
        row.fact = fact
        guard let word = fact.word else { return row }
        if case .field = scope { row.scope = .field(word) }
        if case .lines([Self.word]) = place { row.place = .lines([word]) }
        if fields == [Self.word] { row.fields = [word] }
        return row
    }

    /// The row of a fact of that group, whose owner sentences name.
    func below(_ group: String, of owner: String) -> FactRow {
        var row = self
        (row.group, row.owner) = (group, owner)
        return row
    }

    /// The row of a fact of a step of that number, counted from 1.
    func below(_ group: String, inStep step: Int) -> FactRow {
        var row = self
        (row.group, row.end) = (group, " in step \(step)")
        return row
    }

    /// The whole name: `wire[0].headers.Host`.
    package var text: String { group + (fact?.text ?? name) }

    /// The fact as the subject of a sentence, in which requests and connections count from 1.
    package var words: String {
        template.split(separator: "$", omittingEmptySubsequences: false).map { filled(String($0)) }
            .joined(separator: owner) + end
    }

    private func filled(_ text: String) -> String {
        let text = fact?.number.map { text.replacing(text: "#", with: "\($0 + 1)") } ?? text
        guard let word = fact?.word, let place = text.firstRange(ofText: Self.word) else { return text }
        return text[..<place.lowerBound] + word + text[place.upperBound...]
    }
}

/// What only some scenarios have; the raw value is its name in messages.
package enum FactTechnology: String, Sendable {
    case tls = "TLS", socks = "SOCKS", dns = "DNS", http2 = "HTTP/2", http3 = "HTTP/3"
}

/// What a fact can be compared with.
package enum FactValues: Sendable {
    case text
    /// A number, for `min` and `max` too.
    case number
    /// `true` or `false`.
    case flag
    /// Texts in order.
    case list
    case word(FactWords)
    case words(FactWords)
    /// The kinds of violations, or of faults of credentials, in order.
    case kinds(FactWords)
}

/// The words that a fact can have as its values, with their noun for messages.
package struct FactWords: Sendable {
    /// `end`, with whose it is: ` of a stream`, or nothing.
    package let noun: String, owner: String
    /// nil: the names of the scenario's origins.
    package let all: (@Sendable () -> [String])?

    package init(_ noun: String, of owner: String = "", _ all: @autoclosure @escaping @Sendable () -> [String]) {
        (self.noun, self.owner) = (noun, owner.isEmpty ? "" : " of \(owner)")
        self.all = all
    }

    private init() { (noun, owner, all) = ("origin", "", nil) }

    package static let origins = FactWords()
}

/// Whether a fact can be asked where HTTP/2 or HTTP/3 is spoken, of a case that is written for HTTP/1.1.
package enum FactScope: Sendable {
    case allVersions
    /// Not there; the reason is a sentence without its full stop.
    case http11(String)
    /// Only that there is none of it.
    case http11Values(String)
    /// Not where loads may end or wait, since they share the connection.
    case unsharedConnections
    /// Any status but 101.
    case statusWithout101
    /// The scope of a field; a field about connections can only be absent (RFC 9113 §8.2.2).
    case field(String)

    package static let framing = http11("the fact is about the framing of HTTP/1.1")
    package static let formOfTarget = http11("the fact is about the form of a target, which HTTP/2 has not")
    package static let bytesBehind = http11("the fact is about bytes behind HTTP/1.1")
    package static let pipelining = http11("the fact is about pipelining, in whose place HTTP/2 has streams")
    package static let speech = http11("the fact is about the protocol of a connection")
    package static let connectionEnd = http11("the fact is about the end of a connection, where HTTP/2 ends streams")
    package static let protocolsOfALPN = http11("the fact is about the protocols of ALPN")
}

/// What a report of an issue shows where the fact is not as it was wanted.
package enum FactPlace: Sendable {
    case nowhere
    /// The first line of the fact's request.
    case requestLine
    /// The lines of fields of these names in the fact's request.
    case lines([String])
    /// The content of the fact's request.
    case content
    /// All requests that came.
    case requests
    /// The credentials that guards refused.
    case refusedCredentials
    /// The server name of its ClientHello.
    case serverName
    /// The end of its step.
    case result
}

extension FactName {
    package var text: String { row.text }

    package var words: String { row.words }

    package var subject: Claim.Subject { row.subject }

    /// Whether the fact is compared by `min` and `max`.
    package var isNumber: Bool { if case .number = row.values { true } else { false } }

    /// Whether the fact has several values in order.
    package var holdsList: Bool {
        switch row.values {
        case .list, .words, .kinds: true
        case .text, .number, .flag, .word: false
        }
    }

    /// Whether the values are names of violations or faults.
    package var listsKinds: Bool { if case .kinds = row.values { true } else { false } }
}
