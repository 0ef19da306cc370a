import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Quotations from specifications for the sections that failures rest on most.
///
/// Each was compared with the text of the document; for other demands, reports have this project's own words.
struct QuotedSentence {
    let section: String
    let text: String
    /// Whether the sentence is about the finding.
    var concerns: @Sendable (Finding) -> Bool = { _ in true }

    /// The first quotation that is from one of the sections and about the finding.
    static func quotation(for finding: Finding, sections: [String]) -> QuotedSentence? {
        all.first { sections.contains($0.section) && $0.concerns(finding) }
    }

    private static let all = [
        QuotedSentence(
            section: "RFC 7616 §3.4",
            text:
                "For historical reasons, a sender MUST NOT generate the quoted string syntax for the following parameters: "
                + "algorithm, qop, and nc."
        ) { finding in
            guard case .credential(let verdict) = finding.subject else { return false }
            return verdict.faults.contains { $0.kind == .wrongQuoting }
        },
        QuotedSentence(
            section: "RFC 9112 §8",
            text: "A client that receives an incomplete response message, which can occur when a connection is closed "
                + "prematurely or when decoding a supposedly chunked transfer coding fails, MUST record the message as "
                + "incomplete."),
        QuotedSentence(
            section: "RFC 6265 §5.1.1",
            text: "The user agent MUST use an algorithm equivalent to the following algorithm to parse a cookie-date."),
        QuotedSentence(
            section: "RFC 9110 §10.2.2",
            text:
                "If the Location value provided in a 3xx (Redirection) response does not have a fragment component, a "
                + "user agent MUST process the redirection as if the value inherits the fragment component of the URI "
                + "reference used to generate the target URI (i.e., the redirection inherits the original reference's "
                + "fragment, if any)."
        ) { finding in
            if case .fact(.client(_, "url")) = finding.subject { true } else { false }
        },
        QuotedSentence(
            section: "RFC 9110 §15.2",
            text:
                "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the "
                + "client does not expect one."),
    ]
}
