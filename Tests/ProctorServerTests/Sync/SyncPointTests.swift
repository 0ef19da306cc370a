import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorEvents
@testable import ProctorJournal
@testable import ProctorProgram
@testable import ProctorReplies
@testable import ProctorScenario
@testable import ProctorServer
@testable import ProctorServing

/// Replies that wait for what the client reports, proved on the socket and in the journal.
@Suite(.limit(minutes: 5))
struct SyncPointTests {
    /// `ab`, with an effect between the two bytes.
    private func reply(_ action: String, more: String = "") -> String {
        always("{ status: 200, body: ab, effects: [ { at: body 1, do: \(action) }\(more) ] }")
    }

    /// Sends a request and reads up to the byte before the effect.
    private func begin(_ wire: Wire) throws {
        try wire.send(.request("GET /"))
        _ = try wire.readHead()
        #expect(try wire.read(1) == Array("a".utf8))
    }

    /// One reply, on a connection that stays open, since a FIN counts as leaving.
    private static func ask(_ base: String) throws -> String {
        let wire = try Wire(to: base)
        defer { wire.close() }
        try wire.send(.request("GET /"))
        return try wire.readReply()
    }

    private func passings(_ lines: [String]) -> [String] {
        lines.filter { $0.contains(" sync ") }.map { String($0.drop { $0 != "s" }) }
    }

    @Test func `a reply goes on when the client reports the event, from whichever thread`() async throws {
        try await withRun(reply("await response")) { run in
            run.expectsReports = true
            try await talk(to: run.base) { wire in
                try begin(wire)
                #expect(wire.isSilent(milliseconds: 150))
                run.reached(event: .redirect)
                #expect(wire.isSilent(milliseconds: 50))
                run.reached(event: .response)
                #expect(try wire.read(1) == Array("b".utf8))
            }
            let lines = try await run.journal.lines { passings($0).count == 1 }
            #expect(passings(lines) == ["sync response: reached"])
            let order = lines.filter { $0.contains("reached") || $0.contains("effect") }
            #expect(
                order == [
                    "c0 r0 effect await response at body 1", "reached redirect of task 0", "reached response of task 0",
                    "c0 r0 sync response: reached",
                ])
        }
    }

    @Test func `what was reported before is not waited for`() async throws {
        try await withRun(reply("await response")) { run in
            run.reached(event: .response, task: 3)
            let (text, duration) = try await onThread {
                try timed { try Self.ask(run.base) }
            }
            #expect(text.hasSuffix("ab") && duration < .seconds(9))
            #expect(passings(run.journal.lines) == ["sync response: reached"])
        }
    }

    @Test func `the count and the task of an event are meant as they stand`() async throws {
        try await withRun(reply("{ await: data, task: 1, count: 2, within: 60s }")) { run in
            try await talk(to: run.base) { wire in
                run.reached(event: .data, task: 0)
                run.reached(event: .data, task: 1)
                run.reached(event: .data, task: 0)
                try begin(wire)
                #expect(wire.isSilent(milliseconds: 50))
                run.reached(event: .data, task: 2)
                #expect(wire.isSilent(milliseconds: 50))
                run.reached(event: .data, task: 1)
                #expect(try wire.read(1) == Array("b".utf8))
            }
        }
    }

    @Test func `without a task the events of all tasks count together`() async throws {
        try await withRun(reply("{ await: data, count: 3, within: 60s }")) { run in
            try await talk(to: run.base) { wire in
                for task in 0..<2 { run.reached(event: .data, task: task) }
                try begin(wire)
                #expect(wire.isSilent(milliseconds: 50))
                run.reached(event: .data, task: 2)
                #expect(try wire.read(1) == Array("b".utf8))
            }
        }
    }

    @Test func `a client that reports, but not this, is waited for until the bound, each time`() async throws {
        let late = reply(
            "{ await: response, within: 200ms }", more: ", { at: body 1, do: { await: data, within: 150ms } }")
        try await withRun(late) { run in
            run.reached(event: .redirect)
            let (_, duration) = try await onThread { try timed { try Self.ask(run.base) } }
            #expect(duration >= .milliseconds(350))
            #expect(passings(run.journal.lines) == ["sync response: timedOut", "sync data: timedOut"])
        }
    }

    @Test func `a client of which nothing is heard is waited for a moment only`() async throws {
        try await withRun(reply("await response")) { run in
            let (text, duration) = try await onThread {
                try timed { try Self.ask(run.base) }
            }
            #expect(text.hasSuffix("ab"))
            #expect(duration >= .milliseconds(100) && duration < .seconds(9))
            #expect(passings(run.journal.lines) == ["sync response: unreported"])
        }
    }

    @Test func `a promise to report that is not kept is believed once`() async throws {
        let twice = reply(
            "{ await: response, within: 300ms }", more: ", { at: body 1, do: { await: data, within: 60s } }")
        try await withRun(twice) { run in
            run.expectsReports = true
            let (_, duration) = try await onThread { try timed { try Self.ask(run.base) } }
            #expect(duration >= .milliseconds(400) && duration < .seconds(50))
            #expect(passings(run.journal.lines) == ["sync response: timedOut", "sync data: unreported"])
        }
    }

    @Test func `the first report shows that the client reports, also to a reply that waits already`() async throws {
        try await withRun(
            reply("{ await: response, within: 60s }"), configure: { $0.limits.unreportedAwaitDuration = .seconds(60) }
        ) { run in
            try await talk(to: run.base) { wire in
                try begin(wire)
                run.reached(event: .redirect)
                #expect(wire.isSilent(milliseconds: 100))
                run.reached(event: .response)
                #expect(try wire.read(1) == Array("b".utf8))
            }
            #expect(passings(run.journal.lines) == ["sync response: reached"])
        }
    }

    @Test(arguments: [true, false])
    func `a client that leaves while it is awaited ends the reply`(rudely: Bool) async throws {
        try await withRun(reply("{ await: response, within: 60s }")) { run in
            run.expectsReports = true
            try await talk(to: run.base) { wire in
                try begin(wire)
                if rudely { wire.reset() } else { wire.close() }
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(passings(lines).isEmpty)
            #expect(lines.contains { $0.contains(" aborted ") && $0.contains("the client") })
            #expect(lines.last == "c0 closed by client: \(rudely ? "reset" : "closed")")
        }
    }

    @Test func `a client that only sends no more is awaited`() async throws {
        try await withRun(reply("{ await: response, within: 60s }")) { run in
            run.expectsReports = true
            try await talk(to: run.base) { wire in
                try begin(wire)
                wire.finish()
                #expect(wire.isSilent(milliseconds: 150))
                run.reached(event: .response)
                #expect(try wire.read(1) == Array("b".utf8))
            }
            #expect(passings(run.journal.lines) == ["sync response: reached"])
        }
    }

    @Test func `a run that is stopped ends its waits`() async throws {
        try await withRun(reply("{ await: response, within: 60s }")) { run in
            run.expectsReports = true
            let start = ContinuousClock.now
            try await talk(to: run.base) { wire in
                try begin(wire)
                Task { await run.stop() }
                #expect(try wire.readToEnd().bytes.isEmpty)
            }
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }

    @Test func `one report wakes all waiting replies, and each of two replies waits for its own event`() async throws {
        try await withRun(reply("{ await: response, within: 60s }")) { run in
            run.expectsReports = true
            let base = run.base
            try await onThread {
                let wires = try (0..<50).map { _ in try Wire(to: base) }
                defer { for wire in wires { wire.close() } }
                for wire in wires { try begin(wire) }
                run.reached(event: .response)
                for wire in wires { #expect(try wire.read(1) == Array("b".utf8)) }
            }
            #expect(passings(run.journal.lines).count == 50)
        }
    }

    @Test func `late reports disturb nothing that comes behind a sync point`() async throws {
        try await withRun(reply("{ await: response, within: 60s }", more: ", { at: end, do: stall }")) { run in
            run.expectsReports = true
            try await talk(to: run.base) { wire in
                try begin(wire)
                for _ in 0..<200 { run.reached(event: .response) }
                #expect(try wire.read(1) == Array("b".utf8))
                for _ in 0..<200 { run.reached(event: .response) }
                #expect(wire.isSilent(milliseconds: 300))
            }
        }
    }

    @Test func `a connection can wait before it takes a request`() async throws {
        let yaml = """
            summary: waits at once
            origins: { main: { connections: [ { at: accept, do: { await: resume, within: 60s } } ] } }
            exchanges:
              - { request: GET /, reply: { status: 200, body: ab } }
            """
        try await withRun(yaml) { run in
            run.expectsReports = true
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                #expect(wire.isSilent(milliseconds: 100))
                run.reached(event: .resume)
                #expect(try wire.readReply().hasSuffix("ab"))
            }
            #expect(passings(run.journal.lines) == ["sync resume: reached"])
        }
    }

    @Test func `a run that is reset has heard nothing`() async throws {
        try await withRun(reply("{ await: response, within: 200ms }")) { run in
            run.expectsReports = true
            run.reached(event: .response)
            run.reset()
            _ = try await onThread { try Self.ask(run.base) }
            #expect(passings(run.journal.lines) == ["sync response: timedOut"])
        }
    }

    @Test func `a report that comes too late for its epoch is none`() {
        let reports = ClientReports()
        reports.record("response", task: 0, count: 1, epoch: 0)
        reports.reset(epoch: 1)
        reports.record("response", task: 0, count: 1, epoch: 0)
        let point = SyncPoint(event: "response", task: nil, count: 1, limit: .seconds(60))
        let bounds = ClientReports.Bounds(reported: 10_000_000_000, unreported: 100_000_000)
        #expect(reports.nextStep(at: point, waited: .max, bounds) == .pass(.unreported))
        reports.record("response", task: 0, count: 1, epoch: 1)
        #expect(reports.nextStep(at: point, waited: .max, bounds) == .pass(.reached))
    }

    @Test func `so many reports that they would fill the journal are counted and not written down`() async throws {
        try await withRun(reply("{ await: data, count: 20000, within: 60s }")) { run in
            for _ in 0..<20_000 { run.reached(event: .data) }
            let text = try await onThread { try Self.ask(run.base) }
            #expect(text.hasSuffix("ab"))
            let snapshot = run.journal.snapshot()
            #expect(snapshot.droppedCount == 0)
            #expect(run.journal.lines.count { $0 == "reached data of task 0" } == 1_000)
            #expect(passings(run.journal.lines) == ["sync data: reached"])
        }
    }

    @Test func `an assignment names the awaited events, and gives a client time that reports none`() async throws {
        let cases = "cases: { get: { client: { url: / } } }"
        let plain = always("{ status: 200, body: ab }", more: cases)
        let waiting = always(
            "{ status: 200, body: ab, effects: [ { at: body 1, do: await response }, { at: end, do: { await: data, within: 5s } }, "
                + "{ at: end, do: { await: data, count: 2, within: 1s } } ] }", more: cases)
        try await withRun(plain) { run in
            let before = try run.assignment(for: run.scenario.cases[0])
            #expect(before.awaited == nil)
            try await withRun(waiting) { run in
                let assignment = try run.assignment(for: run.scenario.cases[0])
                #expect(assignment.awaited == ["data", "response"])
                #expect(assignment.deadline == before.deadline + 16_000)
            }
        }
    }
}

/// A client's reports over the control API.
@Suite(.limit(minutes: 5))
struct ReachedCallTests {
    private static let yaml = always(
        "{ status: 200, body: ab, effects: [ { at: body 1, do: { await: data, count: 3, within: 60s } } ] }")

    private func withWaiting(_ body: (Server, _ id: String, _ base: String) async throws -> Void) async throws {
        try await withServer([try scenario(Self.yaml, id: "other")]) { server in
            let (id, base) = try await makeRun("other", on: server)
            try await body(server, id, base)
        }
    }

    @Test func `a call lets go on what waits, once enough has come`() async throws {
        try await withWaiting { server, id, base in
            let control = server.base
            try await talk(to: base) { wire in
                let report = #"{"event":"data","task":7,"count":2}"#
                #expect(try callNow("POST /runs/\(id)/reached", at: control, body: report).text("reached") == "data")
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                #expect(try wire.read(1) == Array("a".utf8))
                #expect(wire.isSilent(milliseconds: 50))
                #expect(try callNow("POST /runs/\(id)/reached", at: control, body: #"{"event":"data"}"#).status == 200)
                #expect(try wire.read(1) == Array("b".utf8))
            }
            let entries = try await call("GET /runs/\(id)/journal", on: server).entries
            let reached = entries.filter { $0["ev"] as? String == "clientReached" }
            #expect(reached.map { $0["task"] as? Int } == [7, 7, 0])
            let passed = try #require(entries.first { $0["ev"] as? String == "syncPassed" })
            #expect(passed["event"] as? String == "data" && passed["how"] as? String == "reached")
        }
    }

    @Test func `a count of 0 announces reports, which are waited for then`() async throws {
        try await withWaiting { server, id, base in
            let control = server.base
            try await talk(to: base) { wire in
                let announced = #"{"event":"response","count":0}"#
                #expect(try callNow("POST /runs/\(id)/reached", at: control, body: announced).status == 200)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                #expect(try wire.read(1) == Array("a".utf8))
                // Longer than a client that reports nothing is waited for.
                #expect(wire.isSilent(milliseconds: 400))
                #expect(
                    try callNow("POST /runs/\(id)/reached", at: control, body: #"{"event":"data","count":3}"#).status
                        == 200)
                #expect(try wire.read(1) == Array("b".utf8))
            }
            let entries = try await call("GET /runs/\(id)/journal", on: server).entries
            #expect(entries.count { $0["ev"] as? String == "clientReached" } == 3)
        }
    }
}

/// The run option by which replies are cut elsewhere.
struct ResliceCallTests {
    @Test func `a run is made with its seed, or with none`() async throws {
        try await withControl { server in
            #expect(try await server.run("other").stage.reslice == nil)
            let run = try await server.run("other", reslice: 7)
            #expect(run.stage.reslice == 7)
            let (_, base) = try await makeRun("plain/turns", on: server, more: #","reslice":9007199254740991"#)
            #expect(try await exchange(.request("GET /"), with: base).text.hasSuffix("one"))
        }
    }

    @Test(arguments: ["-1", "9007199254740992", "\"a\"", "1.5", "[]"])
    func `a seed that is none is refused with its range`(seed: String) async throws {
        try await withControl { server in
            let reply = try await call("POST /runs", on: server, body: "{\"scenario\":\"other\",\"reslice\":\(seed)}")
            #expect(reply.status == 400)
            let message = try reply.error.message
            #expect(message.hasPrefix("'reslice' is a whole number from 0 to 9007199254740991, found "), "\(message)")
        }
    }
}
