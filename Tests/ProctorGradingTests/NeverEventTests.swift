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

    @Test func `where a case expects the event, it counts as seen`() throws {
        let verdict = try grade(try Self.item(Self.expected, .performDefault), Self.silent, ledger: try Self.ledger())
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(verdict.untoldEvents.map(\.description) == ["challenge(serverTrust)", "challenge(clientCert)"])
        #expect(try grade(try Self.item(), Self.silent).outcome == .fail)
        let either = try Self.item("challenge(serverTrust|clientCert)+ response(200) data* complete(ok)")
        #expect(try grade(either, Self.silent, ledger: try Self.ledger()).outcome == .pass)
    }

    @Test func `the other claims of the case are judged as usual`() throws {
        let verdict = try grade(
            try Self.item("challenge(serverTrust) complete(serverCertificateUntrusted)", .performDefault),
            "resume complete(unknown)", ledger: try Self.ledger())
        #expect(
            verdict.failures.map(\.sentence) == [
                "task: got complete(unknown), wanted challenge(serverTrust) or complete(serverCertificateUntrusted)"
            ])
        let any = try Self.item("challenge response(200) data* complete(ok)")
        #expect(try grade(any, Self.silent, ledger: try Self.ledger()).outcome == .fail)
        let basic = try Self.item("challenge(serverTrust|basic) response(200) data* complete(ok)")
        #expect(try grade(basic, Self.silent, ledger: try Self.ledger()).outcome == .fail)
    }

    @Test func `an order that needs the event is not judged, and the verdict says so`() throws {
        let item = try makeCase(edges: ["task response(200) after task challenge(serverTrust)"])
        let verdict = try grade(item, Self.silent, ledger: try Self.ledger())
        #expect(verdict.outcome == .pass)
        #expect(verdict.notJudged.count == 2)
        #expect(verdict.notJudged.first?.hasSuffix("the client never tells challenge(serverTrust)") == true)
        #expect(try grade(item, Self.silent).outcome == .fail)
    }

    @Test func `an entry is fixed when its event comes, and the case is judged by the event`() throws {
        let verdict = try grade(try Self.item(), Self.told, ledger: try Self.ledger())
        #expect(verdict.outcome == .fixed)
        #expect(
            verdict.ledgerNotes == [
                "challenge(serverTrust) came, and never does as the ledger says: take it out (clients/curl.yaml:3:3)",
                "challenge(clientCert) came, and never does as the ledger says: take it out (clients/curl.yaml:4:3)",
            ])
        #expect(verdict.untoldEvents == [])
        let session = Self.told.replacing(" challenge(serverTrust)", with: " session:challenge(serverTrust)")
        #expect(try grade(try Self.item(), session, ledger: try Self.ledger()).outcome == .fixed)
        let wrong = try grade(try Self.item("response(200) data* complete(ok)"), Self.told, ledger: try Self.ledger())
        #expect(wrong.outcome == .fail && wrong.ledgerNotes.count == 2)
    }

    // MARK: Answers to what is never asked

    static let needing: [ClientProgram.ChallengeAnswer] = [.trust, .cancel, .reject, .never, .cancelTask, .useNone]

    @Test(arguments: needing.indices) func `a case whose answer matters cannot be done`(index: Int) throws {
        let item = try Self.item(Self.expected, Self.needing[index])
        for trace in [Self.silent, "resume complete(unknown)"] {
            let verdict = try grade(item, trace, ledger: try Self.ledger())
            #expect(verdict.outcome == .lacks(.trustQuestion))
            #expect(
                verdict.notJudged.first
                    == "never asked: challenge(serverTrust), which steps[0].onChallenge answers: the method is never called"
            )
            #expect(verdict.failures == [])
        }
        #expect(try grade(item, Self.silent).outcome == .fail, "only a ledger may say so")
    }

    @Test func `an answer that only TLS takes needs its question, whatever the case expects`() throws {
        let trust = try makeCase(tasks: [makeProgram(onChallenge: [.trust])])
        #expect(try grade(trust, Self.silent, ledger: try Self.ledger()).outcome == .lacks(.trustQuestion))
        let identity = try makeCase(tasks: [makeProgram(), makeProgram(onChallenge: [.identity("alice")])])
        let verdict = try grade(identity, Self.silent, ledger: try Self.ledger())
        #expect(
            verdict.notJudged.first
                == "never asked: challenge(clientCert), which steps[1].onChallenge answers: nor this one")
    }

    @Test func `answers for HTTP alone, and the default, need no question`() throws {
        let credential = ClientProgram.Credential(user: "u", password: "p", persistence: .none)
        let basic = try Self.item(
            "challenge(serverTrust) challenge(basic) response(200) data* complete(ok)", .use(credential))
        let trace =
            "resume challenge(basic) answer(use){to=challenge} response(200) answer(allow){to=response} complete(ok)"
        #expect(try grade(basic, trace, ledger: try Self.ledger()).outcome == .pass)
        // The second answer is for the second question, which is this client's first.
        let inTurn = try Self.item(
            "challenge(serverTrust) challenge(basic) response(200) data* complete(ok)", .performDefault,
            .use(credential))
        #expect(try grade(inTurn, trace, ledger: try Self.ledger()).outcome == .lacks(.trustQuestion))
    }

    @Test func `a crash stays a crash`() throws {
        let verdict = try grade(
            try Self.item(Self.expected, .trust), "resume", ending: .crashed(signal: "SIGILL", lastErrorLine: nil),
            ledger: try Self.ledger())
        #expect(verdict.outcome == .crash)
    }

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
