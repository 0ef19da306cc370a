import Foundation
import ProctorBase
import ProctorExam
import ProctorGrading
import ProctorReport
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// Verdicts on adapters, which are shell scripts here; the case can be passed without a network.
@Suite(.limit(minutes: 5))
struct AdapterVerdictTests {
    private static let header =
        #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"monotonic","unit":"ns","#
        + #""lanes":["task","session","handler","harness"]}"#

    /// A script that writes a trace, whose events lie a microsecond apart, and then does what is said.
    private func script(_ events: [String], then last: String = "") -> String {
        let lines = [Self.header] + events.enumerated().map { "{\"seq\":\($0 + 1),\"ns\":\(($0 + 1) * 1_000),\($1)}" }
        return lines.map { "echo '\($0)'\n" }.joined() + last
    }

    private static let resume = #""lane":"harness","task":0,"ev":"resume""#
    private static let cancel = #""lane":"harness","task":0,"ev":"cancel""#

    private func complete(_ outcome: String) -> String {
        #""lane":"task","task":0,"family":"US","ev":"complete","arg":"\#(outcome)""#
    }

    private func ledger(_ entry: String) throws -> Ledger {
        try .of("client: script\ndeviations:\n  cancel/before-resume#data:\n    because: it was always so\n\(entry)")
    }

    @Test func `a client that does as it should passes`() async throws {
        try await ExamBench.with { bench in
            let examiner = bench.examiner(script: script([Self.cancel, Self.resume, complete("cancelled")]))
            let sitting = try await bench.sit("cancel/before-resume", "data", with: examiner)
            #expect(sitting.verdict.outcome == .pass, "\(sitting.verdict)")
            #expect(sitting.header?.client == "script")
        }
    }

    @Test func `a deviation fails unless the ledger lists it just so, and is fixed when it no longer happens`()
        async throws
    {
        let wrong = script([Self.cancel, Self.resume, complete("timedOut")])
        let right = script([Self.cancel, Self.resume, complete("cancelled")])
        let exact = try ledger("    rules: [R42]\n    lanes: { task: complete(timedOut) }\n")
        let other = try ledger("    lanes: { task: response(200) complete(ok) }\n")
        try await ExamBench.with { bench in
            for (script, ledger, outcome) in [
                (wrong, nil, CaseVerdict.Outcome.fail), (wrong, other, .fail), (wrong, exact, .known),
                (right, exact, .fixed),
            ] {
                let examiner = bench.examiner(script: script, ledger: ledger)
                let verdict = try await bench.sit("cancel/before-resume", "data", with: examiner).verdict
                #expect(verdict.outcome == outcome, "\(verdict)")
            }
            let report = await ExamWalk(bench.examiner(script: right, ledger: exact)).run(
                try CaseSelection(["cancel/before-resume#data"], among: bench.scenarios))
            #expect(report.isFailure)
            #expect(report.summary().contains("remove its entry"), "\(report.summary())")
        }
    }

    @Test func `what stands in front of the header, nothing at all, or half a line, is an adapter error`() async throws
    {
        let right = script([Self.cancel, Self.resume, complete("cancelled")])
        for (script, words) in [
            ("echo starting up\n" + right, "the adapter's first line is no header of a trace: 'starting up'"),
            ("exit 0\n", "the adapter wrote no trace on standard output"),
            (right + "printf '{\"seq\":9'\n", "line 5 of the trace: it breaks off"),
        ] {
            try await ExamBench.with { bench in
                let verdict = try await bench.sit(
                    "cancel/before-resume", "data", with: bench.examiner(script: script)
                ).verdict
                guard case .adapterError(let fault) = verdict.outcome else {
                    Issue.record("\(verdict)")
                    return
                }
                #expect(fault.description.contains(words), "\(fault)")
            }
        }
    }

    @Test func `the standard error of an adapter is kept for the report of the failure`() async throws {
        try await ExamBench.with { bench in
            let noisy = script([Self.cancel, Self.resume, complete("timedOut")], then: "echo my excuse >&2\n")
            let sitting = try await bench.sit("cancel/before-resume", "data", with: bench.examiner(script: noisy))
            #expect(sitting.verdict.outcome == .fail)
            #expect(sitting.errorLines == "standard error of the adapter:\n  my excuse\n")
        }
    }

    @Test(arguments: [0, 1, 2])
    func `a case that fails is asked again as often as it may be, and the report says so`(retries: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Traps in its first sitting only.
        let sporadic = "mkdir '\(folder)' 2>/dev/null && kill -ILL $$\n"
        let script = sporadic + script([Self.cancel, Self.resume, complete("cancelled")])
        try await ExamBench.with { bench in
            let seen = Locked<[String]>([])
            let report = await ExamWalk(bench.examiner(script: script), retries: retries).run(
                try CaseSelection(["cancel/before-resume#data"], among: bench.scenarios)
            ) { sitting in
                seen.withLock { $0.append(sitting.verdict.outcome.word) }
            }
            #expect(seen.withLock { $0 } == (retries == 0 ? ["crash"] : ["crash", "pass"]))
            #expect(report.isFailure == (retries == 0))
            #expect(report.askedAgain.map(\.description) == (retries == 0 ? [] : ["cancel/before-resume#data"]))
            #expect(report.summary().contains("asked more than once") == (retries > 0))
        }
    }

    @Test func `a crash says where, what was open, and what was written last to standard error`() async throws {
        let events = [
            Self.resume, #""lane":"task","task":0,"family":"US","ev":"redirect","arg":"302","phase":"enter""#,
        ]
        let last = "echo 'noise' >&2; echo 'Demo.swift:7: Fatal error: boom' >&2; echo >&2; kill -ILL $$"
        try await ExamBench.with { bench in
            let verdict = try await bench.sit(
                "cancel/in-redirect", "no-answer", with: bench.examiner(script: script(events, then: last))
            ).verdict
            #expect(verdict.outcome == .crash)
            let text = try #require(verdict.failures.first).description
            #expect(text.contains("crashed with SIGILL after redirect(302) of task"), "\(text)")
            #expect(text.contains("open    : task: redirect(302), event 2"), "\(text)")
            #expect(text.contains("stderr  : Demo.swift:7: Fatal error: boom"), "\(text)")
            // A ledger that knows of the crash is content, one that knows of something else is not.
            let entry = "client: script\ndeviations:\n  cancel/in-redirect#no-answer:\n    because: so it is\n"
            for (part, expected) in [("outcome: crash", CaseVerdict.Outcome.known), ("outcome: hang", .crash)] {
                let known = bench.examiner(
                    script: script(events, then: last), ledger: try .of(entry + "    \(part)\n"))
                #expect(try await bench.sit("cancel/in-redirect", "no-answer", with: known).verdict.outcome == expected)
            }
        }
    }

    @Test func `a hang is ended, gets a verdict with its open question, and does not delay other cases`() async throws {
        let events = [
            Self.resume, #""lane":"task","task":0,"family":"US","ev":"redirect","arg":"302","phase":"enter""#,
        ]
        let ledger = try Ledger.of(
            "client: script\ndeviations:\n  cancel/in-redirect#in-the-second:\n    because: so it is\n    outcome: hang\n"
        )
        let clock = ContinuousClock()
        let start = clock.now
        try await ExamBench.with { bench in
            let examiner = bench.examiner(
                script: script(events, then: "echo 'still here' >&2; sleep 1000"), ledger: ledger)
            async let unlisted = bench.sit("cancel/in-redirect", "no-answer", with: examiner)
            async let listed = bench.sit("cancel/in-redirect", "in-the-second", with: examiner)
            let verdict = try await unlisted.verdict
            #expect(verdict.outcome == .hang)
            let text = try #require(verdict.failures.first).description
            #expect(text.contains("after redirect(302) of task"), "\(text)")
            #expect(text.contains("open    : task: redirect(302), event 2"), "\(text)")
            #expect(text.contains("stderr  : still here"), "\(text)")
            #expect(try await listed.verdict.outcome == .known)
        }
        // The bound of the case, longer on a slow machine, and the watchdog's behind it; the script sleeps for 1,000 s.
        #expect(clock.now - start < .seconds(400))
    }

    @Test func `a trace that cannot be read is no fault of the client's, and says where`() async throws {
        try await ExamBench.with { bench in
            let examiner = bench.examiner(script: "echo '\(Self.header)'; echo '{\"seq\":1,\"lane\":\"tisk\"}'")
            let verdict = try await bench.sit("cancel/before-resume", "data", with: examiner).verdict
            guard case .adapterError(let fault) = verdict.outcome else {
                Issue.record("expected an adapter error, found \(verdict)")
                return
            }
            #expect(fault.line == 2 && fault.description.hasPrefix("line 2 of the trace: column "), "\(fault)")
        }
    }

    /// What an adapter without callbacks writes: the header and one result.
    private func tool(facts: String, promised: String = #"["status"]"#) -> String {
        let header =
            #"{"trace":"proctor","version":1,"client":"tool","clock":"monotonic","unit":"ns","lanes":["harness"],"facts":"#
        let result = #"{"seq":1,"ns":1,"lane":"harness","ev":"result","task":0,"facts":"#
        return "echo '\(header)\(promised)}'\necho '\(result)\(facts)}'\n"
    }

    @Test(
        arguments: [
            (#"{"error":"conectionLost"}"#, #"["status"]"#, 2, "did you mean 'connectionLost'?"),
            (#"{"error":56}"#, #"["status"]"#, 2, "the fact 'error' is a text"),
            (#"{"status":"200"}"#, #"["status"]"#, 2, "the fact 'status' is a whole number"),
            (#"{"status":"x200"}"#, #"["status"]"#, 2, "the fact 'status' is a whole number"),
            (#"{"mesage":"no"}"#, #"["status"]"#, 2, "did you mean 'message'?"),
            (#"{"status":200}"#, #"["status","mesage"]"#, 1, "did you mean 'message'?"),
        ] as [(String, String, Int, String)])
    func `a misspelt error or fact, and a value of a wrong type, are the adapter's, with their line`(
        facts: String, promised: String, line: Int, words: String
    ) async throws {
        try await ExamBench.with { bench in
            let examiner = bench.examiner(script: tool(facts: facts, promised: promised))
            let verdict = try await bench.sit("plain/get", "get", with: examiner).verdict
            guard case .adapterError(let fault) = verdict.outcome else {
                Issue.record("expected an adapter error, found \(verdict)")
                return
            }
            #expect(fault.line == line && fault.description.contains(words), "\(fault)")
        }
    }

    @Test func `a report is of the client that sat the exam, also where the ledger is of another`() async throws {
        let ledger = try Ledger.of("client: curl\nversion: 8.14.1\n")
        try await ExamBench.with { bench in
            let examiner = bench.examiner(script: tool(facts: #"{"status":200}"#), ledger: ledger)
            let report = await ExamWalk(examiner).run(try CaseSelection(["plain/get#get"], among: bench.scenarios))
            #expect(report.client == "tool")
            #expect(report.ledgerMismatches == ["written for curl, and the trace is of tool"])
            let summary = report.summary()
            #expect(summary.hasPrefix("tool on neutral\n"), "\(summary)")
            #expect(summary.contains("written for curl, and the trace is of tool"), "\(summary)")
        }
    }

    @Test func `an adapter that is not there, and one that gives up, are failed set-ups with their reason`()
        async throws
    {
        try await ExamBench.with { bench in
            let missing = Examiner(
                server: bench.server, adapter: Adapter(command: ["/nowhere/adapter"], environment: [:]),
                platform: .neutral)
            for (examiner, words) in [
                (missing, "/nowhere/adapter"),
                (bench.examiner(script: "echo 'no such thing' >&2; exit 64"), "no such thing"),
            ] {
                let verdict = try await bench.sit("cancel/before-resume", "data", with: examiner).verdict
                guard case .setupFailed(let reason) = verdict.outcome else {
                    Issue.record("expected a failed set-up, found \(verdict)")
                    continue
                }
                #expect(reason.contains(words), "\(reason)")
            }
        }
    }

    @Test func `an adapter that writes nothing at all fails`() async throws {
        try await ExamBench.with { bench in
            let verdict = try await bench.sit(
                "cancel/before-resume", "data", with: bench.examiner(script: "exit 0")
            ).verdict
            #expect(verdict.outcome.isFailure, "\(verdict)")
        }
    }
}

/// An adapter that takes many assignments in one process.
@Suite(.limit(minutes: 5))
struct KeptAdapterTests {
    /// Counts its assignments in the reason why it does none of them; `$n` is the number of the assignment in its process.
    private static func script(_ acts: String) -> String {
        #"""
        n=0
        while read -r line; do
          n=$((n+1))
          \#(acts)
          echo '{"trace":"proctor","version":1,"client":"counting","clock":"monotonic","unit":"ns","lanes":["harness"]}'
          echo '{"seq":1,"ns":1,"lane":"harness","ev":"unimplemented","task":0,"arg":"'$PROCTOR_ASSIGNMENTS $n'"}'
          echo
        done
        """#
    }

    /// What comes of one case asked several times, in one process where that lives on.
    ///
    /// The first case has a process that is given nothing else.
    private static func outcomes(_ acts: String, count: Int) async throws -> [String] {
        try await outcomes(ofScript: script(acts), count: count).outcomes
    }

    private static func outcomes(
        ofScript script: String, count: Int
    ) async throws -> (outcomes: [String], takesOne: Bool) {
        try await ExamBench.with { bench in
            var adapter = bench.examiner(script: script).adapter
            adapter.takesManyAssignments = true
            let examiner = Examiner(server: bench.server, adapter: adapter, platform: .neutral)
            var outcomes: [String] = []
            for _ in 0..<count {
                let sitting = try await bench.sit("plain/get", "get", with: examiner)
                let reason = sitting.evidence.events.first { $0.name == .unimplemented }?.argument
                outcomes.append(reason ?? sitting.verdict.outcome.word)
            }
            return (outcomes, examiner.hasFoundOneAssignment)
        }
    }

    @Test func `one process does one assignment after the other`() async throws {
        #expect(try await Self.outcomes(":", count: 4) == ["many 1", "many 1", "many 2", "many 3"])
    }

    @Test func `a crash is the verdict of its case, and the next case has a new process`() async throws {
        let header =
            #"{"trace":"proctor","version":1,"client":"c","clock":"monotonic","unit":"ns","lanes":["harness"]}"#
        let acts = "if [ $n = 2 ]; then echo '\(header)'; kill -SEGV $$; fi"
        #expect(try await Self.outcomes(acts, count: 5) == ["many 1", "many 1", "crash", "many 1", "crash"])
    }

    @Test func `a process that ends before it begins has its assignment given to another`() async throws {
        #expect(
            try await Self.outcomes("if [ $n = 3 ]; then exit 0; fi", count: 5) == [
                "many 1", "many 1", "many 2", "many 1", "many 2",
            ])
    }

    @Test func `an adapter that reads its input to the end is found at once, and its first case counts`() async throws {
        let header =
            #"{"trace":"proctor","version":1,"client":"one","clock":"monotonic","unit":"ns","lanes":["harness"]}"#
        let script = #"""
            cat >/dev/null
            echo '\#(header)'
            echo '{"seq":1,"ns":1,"lane":"harness","ev":"unimplemented","task":0,"arg":"'"in ${PROCTOR_ASSIGNMENTS:-one}"'"}'
            """#
        let (outcomes, takesOne) = try await Self.outcomes(ofScript: script, count: 3)
        // Where it had to wait for the end of its input, the first outcome would be a hang.
        #expect(outcomes == ["in many", "in one", "in one"])
        #expect(takesOne)
    }

    @Test func `an adapter that takes many is not found to take one`() async throws {
        #expect(try await Self.outcomes(ofScript: Self.script(":"), count: 2).takesOne == false)
    }
}
