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
    }

    package var row: Row {
        switch self {
        case .digestQuoting:
            Row(
                section: "RFC 7616 §3.4",
                departure: "algorithm, qop or nc stand in quotes, or another parameter stands without",
                meaning: "a parameter has the same value with and without its quotes",
                signs: [
                    .credential(.wrongQuoting, section: "RFC 7616 §3.4"),
                    .credential(.wrongQuoting, section: "RFC 8187 §3.2.1"),
                ], owner: "auth/digest/quotes-of-old-clients#exact")
        case .digestCapitals:
            Row(
                section: "RFC 7616 §3.4",
                departure: "the digits of response or of a hashed username are capitals",
                meaning: "A to F are the same digits as a to f",
                signs: [
                    .credential(.malformedResponse, section: "RFC 7616 §3.4"),
                    .credential(.wrongUserhash, section: "RFC 7616 §3.4.4"),
                ], owner: "auth/digest/form-of-the-field#use")
        case .digestURIForm:
            Row(
                section: "RFC 7616 §3.4",
                departure: "uri is the path where the request-target is absolute, or is empty where it is /",
                meaning: "both name the same resource, and the response is computed with the uri as it came",
                signs: [.credential(.wrongURI, section: "RFC 7616 §3.4")],
                owner: "auth/proxy/digest-every-answer#right-or-not-at-all")
        case .digestUnusedParameter:
            Row(
                section: "RFC 7616 §3.4",
                departure: "opaque, nc or cnonce come, which the challenge does not ask for",
                meaning: "the response is computed without them, so they are passed over",
                signs: [
                    .credential(.unwantedParameter, section: "RFC 7616 §3.4"),
                    .credential(.unwantedParameter, section: "RFC 2617 §3.2.2"),
                ], owner: "auth/digest/opaque-comes-back#absent")
        case .digestWithoutQop:
            Row(
                section: "RFC 7616 §3.4",
                departure: "qop, nc and cnonce are left out, though the challenge offers auth",
                meaning: "the response is that of RFC 2069, from A1, nonce and A2 alone",
                signs: [.credential(.missingQop, section: "RFC 7616 §3.4")],
                owner: "auth/digest/auth-or-auth-int#get")
        case .basicPadding:
            Row(
                section: "RFC 4648 §3.2", departure: "the base64 of Basic lacks its padding",
                meaning: "the digits say how many bytes there are",
                signs: [.credential(.malformedBase64, section: "RFC 7617 §2, RFC 4648 §4")],
                owner: "auth/basic/form-of-the-field#use")
        case .credentialSeparators:
            Row(
                section: "RFC 9110 §11.4",
                departure: "a tab follows the scheme of a credential, or a comma parts nothing",
                meaning: "scheme and parameters are the same without them",
                signs: [.credential(.malformedField, section: "RFC 9110 §11.6.2")],
                owner: "auth/basic/form-of-the-field#use")
        case .cookieSeparators:
            Row(
                section: "RFC 6265 §4.2.1",
                departure: "semicolons or blanks are too many or too few between the pairs of a Cookie field",
                meaning: "pairs are what stands between semicolons, without the blanks around it",
                signs: [.cookies(.separators)], owner: "cookie/several-fields#joined")
        case .severalCookieFields:
            Row(
                section: "RFC 6265 §5.4", departure: "the cookies of a request come in several Cookie fields",
                meaning: "the fields are one, joined by \"; \"",
                signs: [.cookies(.severalFields)], owner: "cookie/several-fields#joined")
        case .requestGrammar:
            Row(
                section: "RFC 9112 §2.2",
                departure: "a request breaks the grammar in a way that the server reads over",
                meaning: "the violation's row says how it is read, see violations.md",
                signs: [.violationsReadOver], owner: "plain/fields-of-its-own#no-field-twice")
        case .frameBits:
            Row(
                section: "RFC 9113 §4.1",
                departure: "an undefined flag, a reserved bit or a byte of padding is not 0",
                meaning: "the receiver ignores these bits",
                signs: [.frame("undefined-flag"), .frame("reserved-bit"), .frame("padding-not-zero")],
                owner: "h2/preface/by-alpn#get")
        case .repeatedRequest:
            Row(
                section: "RFC 9110 §9.2.2",
                departure:
                    "GET or HEAD comes again with the same credentials, cookies and conditions, eight times at most",
                meaning: "a safe request may be repeated, so the first one counts", signs: [.repetition],
                owner: "fault/reset-within-the-status-line#tries-again-once-at-most")
        case .eventOrigin:
            Row(
                section: "WHATWG HTML §9.2.6",
                departure: "an event of a stream is told with another origin than that of the stream's URL",
                meaning: "type, data and last event ID of the event are what was served", signs: [.toldFact("origin")],
                owner: "sse/redirect-to-another-origin#again")
        }
    }
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
        guard violation.row.request == .readOver, violation != .requestAfterClose, violation != .unansweredRequest
        else { return nil }
        self.init(sign: .violationsReadOver)
    }

    private init?(sign: Sign) {
        guard let found = Self.allCases.first(where: { $0.row.signs.contains(sign) }) else { return nil }
        self = found
    }

    /// The owners that the shipped library has, apart from those that a fixture names.
    package var owner: (scenario: String, case: String) {
        let parts = row.owner.split(separator: "#").map(String.init)
        return (parts[0], parts.last ?? "")
    }
}
