import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Clients that repeat themselves until the run answers no more.
@Suite(.limit(minutes: 5))
struct RunBoundTests {
    private static let yaml = """
        summary: a guard, and a redirect to itself
        guards:
          lab: { users: { user: secret }, schemes: [basic] }
        exchanges:
          - { request: GET /secret, auth: lab, reply: { status: 200, body: ok } }
          - { request: GET /loop, reply: { status: 302, headers: { Location: /loop } } }
        cases:
          case: { client: { url: / }, wire: request* }
          observed: { kind: observes, client: { url: / }, wire: request* }
        """

    private static func credential(_ password: String) -> String {
        "Authorization: Basic " + (password == "secret" ? "dXNlcjpzZWNyZXQ=" : "dXNlcjp3cm9uZw==")
    }

    /// Sends one request after the other, on connections of their own where that is wanted, and counts the statuses.
    private static func repeated(
        _ request: String, _ count: Int, to base: String, keeping: Bool = false
    ) async throws -> [String: Int] {
        try await onThread {
            var statuses: [String: Int] = [:]
            var wire = try Wire(to: base)
            for _ in 0..<count {
                if !keeping {
                    wire.close()
                    wire = try Wire(to: base)
                }
                try wire.send(request)
                guard let reply = try? wire.readReply() else {
                    statuses["none", default: 0] += 1
                    wire.close()
                    wire = try Wire(to: base)
                    continue
                }
                statuses[String(reply.dropFirst(9).prefix(3)), default: 0] += 1
                if reply.contains("Connection: close") {
                    wire.close()
                    wire = try Wire(to: base)
                }
            }
            wire.close()
            return statuses
        }
    }

    private static func withBoundRun(
        _ bounds: RunBounds, entryCount: Int = 10_000, _ body: (Run) async throws -> Void
    ) async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.journal = Journal.Limits(entryCount: entryCount)
        }
        try await withServer([try scenario(yaml)], configure: configure) { server in
            try await body(try await server.run("test/one", bounds: bounds))
        }
    }

    private static func bounds(_ run: Run) -> [ReachedBound] {
        run.journal.snapshot().entries.compactMap { entry in
            if case .boundReached(let bound) = entry.event { bound } else { nil }
        }
    }

    @Test(arguments: [true, false])
    func `a credential that is refused again and again is refused for good, with the guard's reason`(
        keeping: Bool
    ) async throws {
        try await Self.withBoundRun(RunBounds(refusalCount: 8)) { run in
            let statuses = try await Self.repeated(
                .request("GET /secret", Self.credential("wrong")), 20, to: run.base, keeping: keeping)
            #expect(statuses == ["401": 8, "403": 12])
            await run.stop(grace: Patience.whole)
            let bound = try #require(Self.bounds(run).first)
            #expect(Self.bounds(run).count == 1)
            #expect(bound.kind == .refusals && bound.count == 8 && bound.guardName == "lab")
            #expect(bound.fault?.kind == .wrongPassword)
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.outcome == .fail)
            let finding = try #require(verdict.findings.first { $0.weight == .failure })
            #expect(finding.sentence == bound.sentence)
            #expect(bound.sentence.contains("guard lab has refused 8 in a row") && bound.sentence.contains("password"))
            #expect(run.wireVerdict(of: run.scenario.cases[1]).outcome == .observed)
            // What the guard says beyond the bound is not told again.
            #expect(run.journal.lines.count { $0.contains(" guard lab refused") } == 9)
        }
    }

    @Test func `refusals are counted in a row`() async throws {
        try await Self.withBoundRun(RunBounds(refusalCount: 3)) { run in
            for _ in 0..<4 {
                let wrong = try await Self.repeated(
                    .request("GET /secret", Self.credential("wrong")), 3, to: run.base)
                let right = try await Self.repeated(
                    .request("GET /secret", Self.credential("secret")), 1, to: run.base)
                #expect(wrong == ["401": 3] && right == ["200": 1])
            }
            #expect(Self.bounds(run).isEmpty)
        }
    }

    @Test func `requests beyond the bound are answered with 503 and the end of their connection`() async throws {
        try await Self.withBoundRun(RunBounds(requestCount: 50)) { run in
            let statuses = try await Self.repeated(.request("GET /loop"), 70, to: run.base, keeping: true)
            #expect(statuses == ["302": 50, "503": 20])
            await run.stop(grace: Patience.whole)
            #expect(Self.bounds(run) == [ReachedBound(.requests, count: 50)])
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.outcome == .fail)
            #expect(verdict.description.contains("the client repeats requests without end: 50 have come"))
        }
    }

    @Test func `connections beyond the bound are ended without a reply`() async throws {
        try await Self.withBoundRun(RunBounds(connectionCount: 20)) { run in
            let base = run.base
            let ended = try await onThread {
                try (0..<30).map { _ in
                    let wire = try Wire(to: base)
                    defer { wire.close() }
                    wire.finish()
                    return try wire.readToEnd().bytes.isEmpty
                }
            }
            #expect(ended.allSatisfy { $0 })
            await run.stop(grace: Patience.whole)
            #expect(Self.bounds(run) == [ReachedBound(.connections, count: 20)])
            #expect(run.journal.lines.count { $0.hasSuffix("closed by server: closed") } == 10)
            #expect(run.wireVerdict(of: run.scenario.cases[0]).outcome == .fail)
        }
    }

    @Test func `a full journal of a client that repeats itself keeps its beginning, its end and the reason`()
        async throws
    {
        try await Self.withBoundRun(RunBounds(requestCount: 50), entryCount: 100) { run in
            _ = try await Self.repeated(.request("GET /loop"), 100, to: run.base)
            await run.stop(grace: Patience.whole)
            let snapshot = run.journal.snapshot()
            #expect(snapshot.droppedCount > 0)
            #expect(snapshot.entries.count <= 101)
            #expect(snapshot.entries.first?.sequence == 1)
            let sequences = snapshot.entries.map(\.sequence)
            #expect(sequences == sequences.sorted())
            #expect(run.journal.lines.contains { $0.hasSuffix(" r0 head GET /loop") })
            #expect(run.journal.lines.contains { $0.contains("r99 sent 503") })
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.outcome == .fail)
            #expect(verdict.findings.first?.sentence == ReachedBound(.requests, count: 50).sentence)
        }
    }

    @Test func `a run without bounds answers for ever`() async throws {
        try await withRun(Self.yaml) { run in
            let statuses = try await Self.repeated(
                .request("GET /secret", Self.credential("wrong")), 100, to: run.base, keeping: true)
            #expect(statuses == ["401": 100])
        }
    }
}
