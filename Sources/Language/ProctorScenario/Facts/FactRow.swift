import ProctorBase

/// What is known of a fact beside its measurement, in one row beside its case.
///
/// The name, the schema's pattern of names, the words of messages, what values are accepted, in which runs it can be
/// asked, and where a report shows it come from the row. `ProctorGrading`, or the module that registers the fact's group, measures it.
package struct FactRow: Sendable {
    /// As fixtures write it, below its group: `body.length`; `headers.NAME` for one of which `argument` is the name.
    package internal(set) var name: String
    private var argument: String?
    /// The subject of a sentence, in which `$` is the owner, and `NAME` the argument.
    private let template: String
    package let values: FactValues
    package let scope: FactScope
    /// The fields of the request from which it is measured.
    package let fields: [String]
    package let place: FactPlace
    package internal(set) var subject: Claim.Subject
    /// What the scenario must have; nil: nothing.
    package internal(set) var technology: FactTechnology?
    /// `wire[0].`, and what it is called in sentences: `request 1`.
    private var group = "", owner = ""
    /// What stands behind the words.
    private var end = ""

    package init(
        _ template: String, _ values: FactValues = .text, named name: String = "", _ argument: String? = nil,
        over scope: FactScope = .allVersions, fields: [String] = [], shownBy place: FactPlace = .nowhere,
        subject: Claim.Subject = .request, of technology: FactTechnology? = nil
    ) {
        (self.template, self.values, self.name, self.argument) = (template, values, name, argument)
        (self.scope, self.fields, self.place) = (scope, fields, place)
        (self.subject, self.technology) = (subject, technology)
    }

    /// The row of a fact of that name; for `headers.NAME` with the argument that the name has in its place; nil for another name.
    package func naming(_ text: String) -> FactRow? {
        guard let argument = argument(in: text) else { return name == text ? self : nil }
        var row = self
        row.argument = argument
        return row
    }

    /// What stands in the place of `NAME`; nil where the row has none, or the text is no name of it.
    package func argument(in text: String) -> String? {
        guard name.hasSuffix(".NAME") else { return nil }
        let argument = text.dropping(prefix: String(name.dropLast(4)))
        return argument == "" ? nil : argument
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
    package var text: String { group + Self.filled(name, argument) }

    /// The fact as the subject of a sentence, in which requests and connections count from 1.
    package var words: String {
        template.split(separator: "$", omittingEmptySubsequences: false)
            .map { Self.filled(String($0), argument) }.joined(separator: owner) + end
    }

    private static func filled(_ text: String, _ argument: String?) -> String {
        guard let argument, let place = text.firstRange(ofText: "NAME") else { return text }
        return text[..<place.lowerBound] + argument + text[place.upperBound...]
    }
}

/// A fact whose group has one row for each of its cases; the raw value is the name below the group.
package protocol GroupedFact: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    var row: FactRow { get }
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

    static let origins = FactWords()
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
    /// That of a field, of which those about connections can only be absent (RFC 9113 §8.2.2).
    case field(String)

    static let framing = http11("the fact is about the framing of HTTP/1.1")
    static let formOfTarget = http11("the fact is about the form of a target, which HTTP/2 has not")
    static let bytesBehind = http11("the fact is about bytes behind HTTP/1.1")
    static let pipelining = http11("the fact is about pipelining, in whose place HTTP/2 has streams")
    static let speech = http11("the fact is about the protocol of a connection")
    static let connectionEnd = http11("the fact is about the end of a connection, where HTTP/2 ends streams")
    static let protocolsOfALPN = http11("the fact is about the protocols of ALPN")
}

/// What a report of an issue shows where the fact is not as it was wanted.
package enum FactPlace: Sendable {
    case nowhere
    /// Of the fact's request: its first line, lines of fields of these names, or its content.
    case requestLine
    case lines([String])
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
