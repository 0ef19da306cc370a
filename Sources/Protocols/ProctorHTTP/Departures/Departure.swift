import ProctorBase

/// A departure of a client from an RFC that leaves one meaning, so that only the cases about it do not tolerate it.
///
/// A departure with several meanings, or none, is not in this list and never tolerated.
package enum Departure: String, Sendable, CaseIterable {
    case digestQuoting = "digest-quoting"
    case digestCapitals = "digest-capitals"
    case digestURIForm = "digest-uri-form"
    case digestUnusedParameter = "digest-unused-parameter"
    case digestWithoutQop = "digest-without-qop"
    case basicPadding = "basic-padding"
    case credentialSeparators = "credential-separators"
    case cookieSeparators = "cookie-separators"
    case severalCookieFields = "several-cookie-fields"
    case requestGrammar = "request-grammar"
    case frameBits = "frame-bits"
    case repeatedRequest = "repeated-request"
    case eventOrigin = "event-origin"

    /// Facts about a departure, the same in every library.
    package struct Row: Sendable {
        /// The section that forbids it: `RFC 7616 §3.4`.
        package let section: String
        /// What the client does, a clause: `a parameter stands in quotes, …`.
        package let departure: String
        /// How the server reads it, a clause.
        package let meaning: String
        /// The findings by which judges recognise it.
        package let signs: [Sign]
        /// A case of the shipped library that tests it: `SCENARIO#CASE`.
        package let owner: String
    }

    /// A finding of a judge for a request that has the departure.
    package enum Sign: Sendable, Equatable {
        /// A fault of a credential of this kind and section.
        case credential(CredentialFault.Kind, section: String)
        case cookies(CookieDifference.Kind)
        /// Violations of HTTP/1 that the server accepts, apart from those that are failures by themselves.
        case violationsReadOver
        /// A violation of HTTP/2 that the server ignores, by its name.
        case frame(String)
        /// A request that came before.
        case repetition
        /// A fact of a callback of that name, which differs from what was served.
        case toldFact(String)

        /// Reads a kind and, with a space before each, what belongs to it.
        fileprivate init?(_ text: Substring) {
            let words = text.split(separator: " ", maxSplits: 2).map(String.init)
            switch (words.first, words.count) {
            case ("credential", 3):
                guard let kind = CredentialFault.Kind(rawValue: words[1]) else { return nil }
                self = .credential(kind, section: words[2])
            case ("cookies", 2):
                guard let kind = CookieDifference.Kind(rawValue: words[1]) else { return nil }
                self = .cookies(kind)
            case ("violations-read-over", 1): self = .violationsReadOver
            case ("frame", 2): self = .frame(words[1])
            case ("repetition", 1): self = .repetition
            case ("fact", 2): self = .toldFact(words[1])
            default: return nil
            }
        }
    }

    private static let table = ContainedTable<Self, Row>("departures") { cells in
        Row(
            section: cells["section"], departure: cells["departure"], meaning: cells["meaning"],
            signs: cells.value("signs") { text in
                let signs = text.split(separator: ";").map(Sign.init)
                return signs.contains(nil) ? nil : signs.compactMap(\.self)
            }, owner: cells["owner"])
    }

    package var row: Row { Self.table[self] }
}

extension Departure {
    /// The departure that a remark of a guard reports; nil for another remark.
    package init?(_ remark: CredentialFault) {
        self.init(sign: .credential(remark.kind, section: remark.section))
    }

    /// The departure that a difference of cookies reports; nil for a difference that is never tolerated.
    package init?(_ difference: CookieDifference) {
        self.init(sign: .cookies(difference.kind))
    }

    /// The departure that a fact of a callback reports, by its name in traces; nil for a fact that is never tolerated.
    package init?(toldFact name: String) {
        self.init(sign: .toldFact(name))
    }

    /// The departure that a violation of HTTP/2 reports, by its name; nil for another one.
    package init?(frameViolation name: String) {
        self.init(sign: .frame(name))
    }

    /// The departure that a violation of a request reports; nil if the request is refused, or if it is a failure by
    /// itself.
    package init?(_ violation: Violation.Kind) {
        let failures: [Violation.Kind] = [.requestAfterClose, .unansweredRequest, .hostOfAnotherOrigin]
        guard violation.row.request == .readOver, !failures.contains(violation) else { return nil }
        self.init(sign: .violationsReadOver)
    }

    private init?(sign: Sign) {
        guard let departure = Self.allCases.first(where: { $0.row.signs.contains(sign) }) else { return nil }
        self = departure
    }

    /// The owners that the shipped library has, apart from those that a fixture names.
    package var owner: (scenario: String, case: String) {
        let parts = row.owner.split(separator: "#").map(String.init)
        return (parts[0], parts.last ?? "")
    }
}
