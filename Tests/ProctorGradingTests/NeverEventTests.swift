import ProctorBase
import ProctorEvents
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Events that a client can never tell: stated once in its ledger, and no case fails for them.
struct NeverEventTests {
    static func ledger(_ rest: String = "") throws -> Ledger {
        try LedgerTests.ledger(
            """
            client: urlsession
            never:
              challenge(serverTrust): the method is never called
              challenge(clientCert): nor this one
            \(rest)
            """)
    }

    private static let expected = "challenge(serverTrust) challenge(clientCert) response(200) data* complete(ok)"
    private static let silent = "resume response(200) data{n=1} complete(ok)"
    private static let told = "resume challenge(serverTrust) challenge(clientCert) response(200) data{n=1} complete(ok)"

    private static func item(_ task: String = expected, _ answers: ClientProgram.ChallengeAnswer...) throws -> Case {
        try makeCase(lanes: ["task": task], tasks: [makeProgram(onChallenge: answers)])
    }

    @Test func `the ledger holds what the file says`() throws {
        let never = try Self.ledger().never
        #expect(never.map(\.subject.description) == ["challenge(serverTrust)", "challenge(clientCert)"])
        #expect(never.map(\.because) == ["the method is never called", "nor this one"])
        #expect(never.map(\.rule) == [RuleNumber(18), RuleNumber(18)])
        #expect(never.map(\.location.description) == ["clients/curl.yaml:3:3", "clients/curl.yaml:4:3"])
        #expect(try LedgerTests.ledger("{ client: x, never: { waiting: y } }").never.first?.rule == nil)
    }

    @Test func `every fault of the entries is reported with its place`() {
        let text = """
            client: x
            never:
              challange(serverTrust): a
              challenge(serverTrust|basic): a
              challenge(server*): a
              challenge(serverTrust) response: a
              complete(ok): a
              challenge(clientCert): ""
              waiting: a
            """
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "c.yaml")
        #expect(ledger == nil)
        #expect(
            diagnostics.map { "\($0)" } == [
                "c.yaml:3:3: error: unknown event 'challange'; did you mean 'challenge'?",
                #"c.yaml:4:3: error: expected an event with one argument or none, found "challenge(serverTrust|basic)""#,
                #"c.yaml:5:3: error: expected an event with one argument or none, found "challenge(server*)""#,
                "c.yaml:6:3: error: expected one event, found an expression",
                "c.yaml:7:3: error: every load ends; what it says then is judged case by case",
                "c.yaml:8:26: error: expected a reason, found empty text",
            ])
        let other = Ledger.parse(Array("client: x\nnever: [a]\n".utf8), file: "c.yaml").diagnostics
        #expect(
            other.map { "\($0)" } == [
                "c.yaml:2:8: error: expected never as a mapping from event to reason, found a list"
            ])
    }

    // MARK: Answers to what is never asked

    // MARK: Reports

    @Test func `the report names the rule once`() throws {
        let ledger = try Self.ledger()
        let verdicts = try [
            grade(try Self.item(Self.expected, .performDefault), Self.silent, ledger: ledger),
            grade(
                try Self.item("challenge(serverTrust) response(200) data* complete(ok)"), Self.silent, ledger: ledger),
            grade(try makeCase(), Self.silent, ledger: ledger),
        ]
        let report = ExamReport(client: "urlsession", platform: "corelibs", verdicts: verdicts, ledger: ledger)
        #expect(!report.isFailure)
        let lines = report.summary().split(separator: "\n").map(String.init)
        #expect(
            lines.dropFirst() == [
                "  known   R18 TLS first, by its own way: challenge(serverTrust) is never told, and 2 cases expect it: the "
                    + "method is never called",
                "  known   R18 TLS first, by its own way: challenge(clientCert) is never told, and 1 case expects it: nor "
                    + "this one", "3 cases: 3 pass",
            ])
        #expect(ExamReport(client: "x", platform: "p", verdicts: [verdicts[2]], ledger: ledger).neverTold == [])
    }
}
