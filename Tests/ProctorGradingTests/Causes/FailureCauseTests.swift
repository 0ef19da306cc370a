import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// The key of why a case failed: the same for one departure, whatever case shows it.
struct FailureCauseTests {
    /// A case that wants these requests, and its journal of others.
    private func key(wanting wire: String, _ lines: String..., spec: [String] = []) throws -> String? {
        var journal = JournalScript.opened()
        for line in lines { try journal.request(line) }
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        return CaseGrader(try makeCase(spec: spec, wire: wire), scenario: "a").grade(evidence).cause?.key
    }

    @Test(
        arguments: [
            ("RFC 9112 §7.1.1", "RFC 9112 §7.1"), ("RFC 9112 §8", "RFC 9112 §8"), ("RFC 3986 §5.4.2", "RFC 3986 §5"),
            ("RFC 9110 §11.6.1", "RFC 9110 §11"), ("RFC 9110 §5.6.1.2", "RFC 9110 §5.6"),
            ("callback rule R12", "callback rule R12"), ("URL Standard, path state", "URL Standard, path state"),
        ])
    func `a section is cut to its topic`(section: String, topic: String) {
        #expect(FailureCause.topic(of: section) == topic)
    }

    @Test(
        arguments: [
            ("end of a load: wanted an error, got ok · RFC 9112 §8", "A load succeeded that had to fail (RFC 9112 §8)"),
            ("requests: another path · RFC 3986 §5", "A request had another path than was wanted (RFC 3986 §5)"),
            ("credential: wrong-quoting", "A credential was refused: wrong quoting"),
            ("fact wire[].headers.Te: missing", "The field Te of a request is missing"),
            ("fact wire[].query", "Wire[].query has not the value that was wanted"),
            ("fact status", "The status that the client reports has not the value that was wanted"),
            ("lane task: got data, wanted response", "Callbacks of task: got data, wanted response"),
            ("R12 challenge instead of response", "R12 challenge instead of response"),
        ])
    func `a key is told in words`(key: String, sentence: String) {
        let cause = FailureCause(key: key)
        #expect(cause.sentence == sentence)
    }

    @Test func `every kind of end has words`() {
        for end in Finding.EndMismatch.allCases {
            let cause = FailureCause(key: "end of a load: \(end.rawValue)")
            #expect(!cause.sentence.hasPrefix("End of a load"), "\(end)")
        }
    }

    @Test func `that two reports of the recorder differ stands behind what the server's bytes show`() throws {
        var own = Finding(subject: .content(field: "crc32"), sentence: "the result has other bytes there")
        own.isOfOwnReports = true
        let shown = Finding(subject: .fact(try FactName(parsing: "body")), sentence: "body: wanted a, got b")
        #expect([own, shown].root == shown && [own].root == own)
    }
}
