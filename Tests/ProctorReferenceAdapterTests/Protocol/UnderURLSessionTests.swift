import Foundation
import ProctorEvents
import ProctorExam
import ProctorProgram
import ProctorTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
    import ProctorExam
    import ProctorTestSupport
    import Testing

    /// What Foundation on Linux does to a URLProtocol; Docs/inside/protocol.md has the table.
    ///
    /// Each load is in a process of its own: a trap or a hang there is a result here.
    @Suite(.limit(minutes: 10))
    struct UnderURLSessionTests {
        private static let exchanges = """
              - request: { method: GET, path: /secret, headers: { Authorization: "Basic dTpw" } }
                reply: { status: 200, body: welcome }
              - request: "* /secret"
                reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: denied }
              - { request: "* /start", reply: { status: 302, headers: { Location: /done }, body: elsewhere } }
              - { request: GET /chunked, reply: { status: 200, framing: { chunked: [3] }, body: hello } }
              - request: GET /stalls
                reply: { status: 200, headers: { Content-Length: "100" }, body: [first, { do: stall }] }
              - { request: GET /missing, reply: { status: 404, body: nope } }
              - { request: "* /*", reply: { status: 200, body: done } }
            """

        struct Row: Sendable, CustomTestStringConvertible {
            var method = "GET"
            let path: String
            var body: String?
            var form = Assignment.BodyForm.data
            var task = Assignment.TaskKind.data
            let calls: String
            /// Lengths of bodies as the server saw them.
            var bodies = ""
            let content: String
            var testDescription: String { "\(task) \(method) \(path) \(body.map { _ in form.rawValue } ?? "")" }
        }

        @Test(arguments: [
            Row(path: "/a", calls: "response(200) data+ complete(ok)", content: "done"),
            Row(path: "/chunked", calls: "response(200) data+ complete(ok)", content: "hello"),
            Row(path: "/missing", calls: "response(404) data+ complete(ok)", content: "nope"),
            Row(
                method: "POST", path: "/a", body: "abc", calls: "response(200) data+ complete(ok)", bodies: "3",
                content: "done"),
            Row(
                method: "POST", path: "/a", body: "abc", form: .requestStream,
                calls: "response(200) data+ complete(ok)", bodies: "3", content: "done"),
            // The body belongs to the task, and no protocol gets to see it.
            Row(
                method: "POST", path: "/a", body: "abc", task: .upload, calls: "response(200) data+ complete(ok)",
                bodies: "0", content: "done"),
        ])
        func `a plain load works, but for the body of an upload task`(_ row: Row) async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of(row.path, in: bench) { step in
                    step.method = row.method
                    step.body = row.body.map { Assignment.Bytes(text: $0) }
                    step.bodyForm = row.form
                    step.task = row.task
                }
                #expect(sitting.ending == .exited(0), "\(sitting.text)")
                #expect(sitting.lane(.task) == row.calls, "\(sitting.text)")
                #expect(sitting.result.text(.body) == row.content, "\(sitting.text)")
                let sent = bench.seen.bodies
                #expect(sent == row.bodies || row.bodies == "0" && sent.isEmpty || row.bodies.isEmpty, "\(sent)")
            }
        }

        @Test func `the class is never asked for a canonical form, and an object that ends is never stopped`()
            async throws
        {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/a", in: bench)
                #expect(sitting.lane(.proto) == "p.canInit p.init p.start p.deinit", "\(sitting.text)")
                // What the loading system left out, the object does itself.
                #expect(bench.seen.field("Accept-Encoding", ofRequest: 0) == "gzip, deflate")
            }
        }

        @Test func `a redirect traps`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/start", in: bench)
                guard case .signalled = sitting.ending else {
                    Issue.record("expected a trap: \(sitting.text)")
                    return
                }
                #expect(sitting.events.contains { $0.name == .pStart })
                #expect(!sitting.events.contains { $0.name == .redirect }, "\(sitting.text)")
            }
        }

        @Test func `a download task traps`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/a", in: bench) { $0.task = .download }
                guard case .signalled = sitting.ending else {
                    Issue.record("expected a trap: \(sitting.text)")
                    return
                }
            }
        }

        @Test func `a cancelled task stops the object`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/stalls", in: bench) { step in
                    step.cancelAt = Assignment.Moment("data")
                }
                #expect(sitting.ending == .exited(0), "\(sitting.text)")
                #expect(sitting.lane(.task) == "response(200) data+ complete(cancelled)", "\(sitting.text)")
                #expect(sitting.lane(.proto).hasPrefix("p.canInit p.init p.start p.stop"), "\(sitting.text)")
            }
        }

        @Test func `a credential puts the built-in loader in the object's place, which asks the server itself`()
            async throws
        {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/secret", in: bench) { step in
                    step.onChallenge = [Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))]
                }
                #expect(sitting.lane(.task) == "challenge(basic) response(200) data+ complete(ok)", "\(sitting.text)")
                #expect(sitting.lane(.proto).hasPrefix("p.canInit p.init p.start p.stop"), "\(sitting.text)")
                #expect(sitting.events.count { $0.name == .pInit } == 1, "\(sitting.text)")
                #expect(bench.seen.wire == "GET /secret GET /secret")
                // Ours says so, the built-in one does not.
                #expect(bench.seen.field("User-Agent", ofRequest: 0)?.hasPrefix("ProctorReference/") == true)
                #expect(bench.seen.field("User-Agent", ofRequest: 1)?.hasPrefix("ProctorReference/") != true)
            }
        }

        @Test func `default handling of a challenge does not reach the protocol, so the task hangs`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/secret", in: bench, deadline: 10_000) { step in
                    step.onChallenge = [Assignment.ChallengeAnswer.performDefault]
                }
                #expect(sitting.lane(.task) == "challenge(basic)", "\(sitting.text)")
                #expect(sitting.lane(.proto) == "p.canInit p.init p.start", "\(sitting.text)")
            }
        }

        @Test func `a cancelled challenge stops the object`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/secret", in: bench) { step in
                    step.onChallenge = [Assignment.ChallengeAnswer.cancel]
                }
                #expect(sitting.lane(.task) == "challenge(basic) complete(cancelled)", "\(sitting.text)")
                #expect(sitting.lane(.proto).hasPrefix("p.canInit p.init p.start p.stop"), "\(sitting.text)")
                #expect(bench.seen.wire == "GET /secret")
            }
        }

        @Test func `suspend and resume stop and start the same object, which loads once more`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/stalls", in: bench) { step in
                    step.suspendAt = Assignment.Moment("data")
                    step.suspendFor = 100
                    step.timeout = 2000
                }
                #expect(sitting.lane(.proto).hasPrefix("p.canInit p.init p.start p.stop p.start"), "\(sitting.text)")
                #expect(
                    sitting.lane(.task) == "response(200) data+ response(200) data+ complete(timedOut)",
                    "\(sitting.text)")
                #expect(bench.seen.wire == "GET /stalls GET /stalls")
            }
        }

        @Test func `the request's time is the protocol's to keep, and it does`() async throws {
            try await ProtocolBench.with(Self.exchanges) { bench in
                let sitting = try await UnderURLSessionSitting.of("/stalls", in: bench) { $0.timeout = 1000 }
                #expect(sitting.lane(.task) == "response(200) data+ complete(timedOut)", "\(sitting.text)")
            }
        }
    }
#endif

/// What a child of ours saw of ``ReferenceProtocol`` under the platform's URLSession; it may have trapped or hung.
struct UnderURLSessionSitting: Sendable {
    let ending: WatchedChild.Ending
    let lastErrorLine: String?
    let events: [TraceEvent]

    /// A step against the server of a bench, in a process of its own under a watchdog.
    static func of(
        _ path: String, in bench: ProtocolBench, deadline: Int = 20_000,
        _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> UnderURLSessionSitting {
        var step = Assignment.Step(url: "\(bench.base)\(path)")
        change(&step)
        let assignment = Assignment(
            scenario: "test/one", caseName: "under", base: bench.base, deadline: deadline, steps: [step])
        let child = WatchedChild(
            command: [BuiltProduct.referenceClient, "--under-urlsession"],
            environment: ProcessInfo.processInfo.environment, deadline: .milliseconds(deadline) + Patience.whole)
        let outcome = await child.run(input: assignment.json)
        return UnderURLSessionSitting(
            ending: outcome.ending, lastErrorLine: outcome.lastErrorLine, events: try Trace(outcome.output).events)
    }

    /// Names of a lane in order, runs of `data` as one.
    func lane(_ lane: Lane) -> String {
        var symbols: [String] = []
        for event in events where event.lane == lane && event.phase == .enter {
            let symbol = event.name == .data ? "data+" : event.symbol.description
            if symbol != "data+" || symbols.last != symbol { symbols.append(symbol) }
        }
        return symbols.joined(separator: " ")
    }

    func first(_ name: EventName) -> TraceEvent? { events.first { $0.name == name && $0.phase == .enter } }

    var result: EventFacts { events.last { $0.name == .result }?.facts ?? [] }

    var text: String {
        "\(ending) \(lastErrorLine ?? "")\ntask: \(lane(.task))\nproto: \(lane(.proto))\nharness: \(lane(.harness))\n"
            + events.map { event in
                let facts = event.facts.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " ")
                return "\(event.sequence) \(event.laneID) \(event.symbol) \(event.phase) \(event.thread ?? "") \(facts)"
            }.joined(separator: "\n")
    }
}
