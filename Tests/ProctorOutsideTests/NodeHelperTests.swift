import Foundation
import ProctorTestSupport
import Testing

/// The module for `node:test` in `helpers/node`: skipped where Node is not installed.
@Suite(.limit(minutes: 10))
struct NodeHelperTests {
    private static let home = "\(Project.path)/helpers/node"

    /// Runs Node in a folder, or ends the test where it is missing or older than 18.
    private func node(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        let found = try await Child.run(
            ["-c", "node -e 'process.exit(+(parseInt(process.versions.node) < 18))'"], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("Node 18 is not installed: apt-get install nodejs") }
        return try await ChildProcess.run(
            ["/usr/bin/env", "node"] + arguments, environment: HelperTrial.environment.merging(environment) { $1 },
            in: folder, within: HelperTrial.patience)
    }

    /// A folder of tests that finds the module by its name.
    private func makeFolder(_ files: [String: String]) throws -> TestFolder {
        let folder = try TestFolder(files)
        try folder.link("node_modules/proctor-http", to: Self.home, folderFirst: "node_modules")
        return folder
    }

    @Test func `the clients of the example pass`() async throws {
        let outcome = try await node(
            ["--test", "--test-reporter", "tap", "clients.test.js", "five.test.js"], in: "\(Self.home)/example")
        #expect(
            outcome.status == 0 && outcome.out.contains("\n# pass 15\n# fail 0\n"), "\(outcome.out)\(outcome.err)")
    }

    @Test func `clients that break a rule fail with the timeline`() async throws {
        let outcome = try await node(
            ["--test", "--test-reporter", "tap", "misbehaving.test.js"], in: "\(Self.home)/example")
        #expect(
            outcome.status == 1 && outcome.out.contains("\n# pass 0\n# fail 3\n"), "\(outcome.out)\(outcome.err)")
        // As the README shows it, less the words of a reporter, where the verdict was asked for.
        let block = try HelperTrial.block("output", of: "helpers/node/README.md").split(separator: "\n").dropFirst()
        let shown = block.joined(separator: "\n").replacing("AssertionError [ERR_ASSERTION]: ", with: "")
        #expect(HelperTrial.comparable(outcome.out).contains(HelperTrial.comparable(shown)), "\(outcome.out)")
        // Among the diagnostics, where the test failed for its own reason.
        #expect(
            outcome.out.contains(/\n# ▶ .*c0 POST \/done HTTP\/1.1, 3 fields   wanted: GET \/done\n/),
            "\(outcome.out)")
        #expect(outcome.out.contains("the client made no connection to 127."), "\(outcome.out)")
    }

    @Test func `what no test asked for is told when all have ended`() async throws {
        let folder = try makeFolder([
            "a.test.mjs": """
            import test from 'node:test';
            import { proctor } from 'proctor-http';
            test('one of two', async (t) => {
              const run = await proctor(t).inline(`\(HelperTrial.twoPages)`, { case: 'a' });
              await fetch(run.url('/a'));
            });
            """
        ])
        defer { folder.remove() }
        let outcome = try await node(["a.test.mjs"], in: folder.path)
        #expect(outcome.status == 0 && outcome.err.hasSuffix(HelperTrial.unused), "\(outcome.out)\(outcome.err)")
    }

    @Test func `the first test of the README passes, and what it has wrong is told`() async throws {
        let first = try HelperTrial.block("js", of: "helpers/node/README.md")
        let folder = try makeFolder([
            "first.test.mjs": first,
            "scenario.test.mjs": first.replacing("302-get-stays-get", with: "302-get-stay-get"),
            "case.test.mjs": first.replacing("'follow'", with: "'fllow'"),
        ])
        defer { folder.remove() }
        let right = try await node(["first.test.mjs"], in: folder.path)
        #expect(right.status == 0 && right.out.contains("\nok 1 - "), "\(right.out)\(right.err)")
        let scenario = try await node(["scenario.test.mjs"], in: folder.path)
        #expect(scenario.status == 1, "\(scenario.out)")
        #expect(scenario.out.contains("did you mean 'redirect/302-get-stays-get'?"), "\(scenario.out)")
        let item = try await node(["case.test.mjs"], in: folder.path)
        #expect(item.status == 1 && item.out.contains("has no case 'fllow'; did you mean 'follow'?"), "\(item.out)")
        let none = try await node(["first.test.mjs"], in: folder.path, environment: ["PROCTOR_BINARY": "/none"])
        #expect(none.status == 1 && none.out.contains("set PROCTOR_BINARY to the path of proctor"), "\(none.out)")
    }

    @Test func `a run that nobody judged is judged, and all are deleted at the end of their test`() async throws {
        let folder = try makeFolder([
            "runs.test.mjs": """
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { proctor } from 'proctor-http';

            const runs = [];
            const load = async (run, path) => { runs.push(run); await (await fetch(run.url(path))).text(); };

            test('judged at the end', async (t) => load(await proctor(t).run('plain/get'), '/other'));
            test('without a case', async (t) => load(await proctor(t).run('redirect/302-get-stays-get'), '/start'));
            test('inline without cases', async (t) => {
              await load(await proctor(t).inline('{summary: x, exchanges: [{request: GET /a, reply: {status: 200}}]}'), 'a');
            });
            test('none is left', async () => {
              for (const run of runs) await assert.rejects(run.journal(), { message: /^there is no run/ });
              assert.equal(runs.length, 3);
            });
            """
        ])
        defer { folder.remove() }
        let outcome = try await node(["--test", "--test-reporter", "tap", "runs.test.mjs"], in: folder.path)
        #expect(outcome.status == 1, "\(outcome.out)\(outcome.err)")
        for line in ["not ok 1 ", "not ok 2 ", "ok 3 - inline without cases\n", "ok 4 - none is left\n"] {
            #expect(outcome.out.contains("\n\(line)"), "\(outcome.out)")
        }
        #expect(outcome.out.contains("say which case to judge by; redirect/302-get-stays-get has "), "\(outcome.out)")
    }

    @Test func `a verdict waits for what is under way`() async throws {
        let folder = try makeFolder([
            "waits.test.mjs": """
            import assert from 'node:assert/strict';
            import { test } from 'node:test';
            import { proctor } from 'proctor-http';

            const text = (pause) => `
              summary: A reply that takes its time
              exchanges:
                - { request: GET /slow, reply: { status: 200, body: [a, { do: ${pause} }, b] } }
                - { request: GET /next, reply: { status: 200 } }
              cases:
                slow: { client: { url: /slow }, wire: request(GET /slow) }
                both: { client: [{ url: /slow }, { url: /next }], wire: request(GET /slow) request(GET /next) }`;

            test('waits', async (t) => {
              const run = await proctor(t).inline(text('wait 2s'));
              const slow = await fetch(run.url('/slow'));
              assert.equal((await run.judge('both', [], { within: 20_000 })).outcome, 'fail');
              assert.deepEqual((await run.verdict('slow', [], { within: 20_000 })).codes, []);
              await slow.text();
            });
            test('waits no longer than it may', async (t) => {
              // It stays under way until the test has judged.
              const run = await proctor(t).inline(text('stall'));
              const slow = await fetch(run.url('/slow'));
              assert.ok((await run.judge('slow', [], { within: 100 })).codes.includes('still-under-way'));
              await slow.body.cancel();
              await (await fetch(run.url('/next'))).text();
              await run.verdict('both');
            });
            """
        ])
        defer { folder.remove() }
        let outcome = try await node(["--test", "--test-reporter", "tap", "waits.test.mjs"], in: folder.path)
        #expect(
            outcome.status == 0 && outcome.out.contains("\n# pass 2\n# fail 0\n"), "\(outcome.out)\(outcome.err)")
    }

    @Test(arguments: ["process.kill(process.pid, 'SIGKILL')", "process.abort()", "process.exit(3)", "await 0"])
    func `the server ends with the process of the tests, however that ends`(_ end: String) async throws {
        let folder = try makeFolder([
            "end.test.mjs": """
            import { test } from 'node:test';
            import { proctor } from 'proctor-http';

            test('ends', async (t) => { await proctor(t).run('plain/get'); \(end); });
            """
        ])
        defer { folder.remove() }
        let binary = try HelperTrial.makeTracedBinary(in: folder)
        let outcome = try await node(["end.test.mjs"], in: folder.path, environment: ["PROCTOR_BINARY": binary])
        // The run was asked for nothing, so the test fails too where the process goes on.
        #expect(outcome.status != 0, "\(outcome.out)\(outcome.err)")
        try await HelperTrial.expectEnd(in: folder)
    }
}
