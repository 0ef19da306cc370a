import Foundation
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Replies that wait for what an adapter writes while its client runs.
@Suite(.limit(minutes: 5))
struct SyncPointExamTests {
    private static func yaml(await point: String) -> String {
        """
        summary: The rest comes when the beginning was seen
        exchanges:
          - request: GET /a
            reply: { status: 200, body: hello, effects: [ { at: body 2, do: { await: \(point) } } ] }
        cases:
          get: { client: { url: /a }, wire: request(GET /a), facts: { status: 200, body: hello } }
        """
    }

    /// Sits the case of the scenario above, and tells how the sync point was passed.
    private func sit(await point: String, adapter: [String]) async throws -> (Sitting, JournalEvent.SyncPassing?) {
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(Self.yaml(await: point).utf8), id: "sync/one", file: "sync/one.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        // The PATH by which python3 was found: with another one, it would load the modules of the first python3 in that.
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let examiner = Examiner(
            server: server, adapter: Adapter(command: adapter, environment: environment), platform: .neutral)
        let sitting = await examiner.sit(sound.cases[0], of: sound)
        await server.stop(grace: .zero)
        let passings = (sitting.evidence.journal ?? []).compactMap { entry -> JournalEvent.SyncPassing? in
            if case .syncPassed(_, let how) = entry.event { how } else { nil }
        }
        #expect(passings.count <= 1)
        return (sitting, passings.first)
    }

    /// In Python, with `say`, `header` and `load`, which gets the page and writes its result.
    private func script(_ body: String, lanes: String = #"["task", "harness"]"#) -> [String] {
        let head = """
            import json, sys, time, urllib.request
            assignment = json.load(sys.stdin)
            kept = []
            seq = 0
            def say(lane, event, flush=True, **rest):
                global seq
                seq += 1
                print(json.dumps({"seq": seq, "ns": time.monotonic_ns(), "lane": lane, "ev": event, **rest}), flush=flush)
            def header(flush=True):
                print(json.dumps({"trace": "proctor", "version": 1, "client": "script", "clientVersion": "1",
                                  "clock": "monotonic", "unit": "ns", "lanes": \(lanes)}), flush=flush)
            def open():
                return urllib.request.urlopen(assignment["steps"][0]["url"], timeout=60)
            def finish(reply, flush=True):
                body = reply.read().decode()
                say("harness", "result", flush, facts={"status": 200, "bytes": len(body), "body": body})

            """
        return ["python3", "-c", head + body]
    }

    private static let response = #"say("task", "response", arg="200", family="US")"#
    private static let allow = #"say("harness", "answer", arg="allow", facts={"to": "response"})"#
    private static let end = #"say("task", "data"); say("task", "complete", arg="ok"); finish(reply)"#

    @Test func `URLSession in a process of its own is waited for, and its report read while it runs`() async throws {
        for point in ["response, within: 60s", "data, task: 0, within: 60s"] {
            let (sitting, passing) = try await sit(await: point, adapter: [BuiltProduct.urlSessionClient])
            #expect(passing == .reached, "\(sitting.timeline)")
            #expect(sitting.evidence.ending == .finished)
            #expect(!sitting.verdict.notJudged.contains { $0.contains("await") })
        }
    }

    @Test func `an adapter that writes line by line is heard`() async throws {
        let adapter = script(
            "header(); say('harness', 'resume'); reply = open(); \(Self.response); \(Self.allow); \(Self.end)\n")
        let (sitting, passing) = try await sit(await: "response, within: 60s", adapter: adapter)
        #expect(passing == .reached, "\(sitting.timeline)")
        #expect(sitting.verdict.outcome == .pass, "\(sitting.verdict)")
    }

    @Test func `one that keeps its lines back is waited for until the bound, and can still pass`() async throws {
        let late = Self.response.replacing(")", with: ", flush=False)")
        let adapter = script(
            "header(); say('harness', 'resume'); reply = open(); \(late); "
                + "reply = type('Whole', (), {'read': lambda self, body=reply.read(): body})(); "
                + "\(Self.allow); \(Self.end)\n")
        let (sitting, passing) = try await sit(await: "response, within: 400ms", adapter: adapter)
        #expect(passing == .timedOut, "\(sitting.timeline)")
        #expect(sitting.verdict.outcome == .pass, "\(sitting.verdict)")
        let note = try #require(sitting.verdict.notJudged.first)
        #expect(
            note.hasPrefix("the order at 'await response': the reply went on without it, for the client did not report")
        )
        #expect("\(sitting.timeline)".contains("went on without response: the client did not report it in time"))
    }

    @Test func `one that shows its results alone is not waited for`() async throws {
        let adapter = script("header(); say('harness', 'resume'); finish(open())\n", lanes: #"["harness"]"#)
        let (sitting, passing) = try await sit(await: "response, within: 60s", adapter: adapter)
        #expect(passing == .unreported, "\(sitting.timeline)")
        #expect(sitting.verdict.outcome == .pass, "\(sitting.verdict)")
        #expect(sitting.verdict.notJudged.contains { $0.contains("the client had reported nothing") })
    }

    @Test func `what a URLProtocol tells its client counts where there is nothing else`() async throws {
        let adapter = script(
            "header(); say('proto', 'p.start', object=0); reply = open(); "
                + #"say("protocolClient", "response", arg="200", object=0); finish(reply)"# + "\n",
            lanes: #"["proto", "protocolClient", "harness"]"#)
        let (sitting, passing) = try await sit(await: "response, within: 60s", adapter: adapter)
        #expect(passing == .reached, "\(sitting.timeline)")
    }
}
