import ProctorServer
import Testing

/// How many runs there may be, and how long they live when nobody ends them.
struct RunLifeTests {
    @Test func `a run beyond the limit is refused, until another has ended`() async throws {
        try await withControl(configure: { $0.limits.runCount = 2 }) { server in
            let first = try await makeRun("other", on: server)
            _ = try await makeRun("other", on: server)
            let refused = try await call("POST /runs", on: server, body: #"{"scenario":"other"}"#)
            #expect(refused.status == 503)
            let error = try refused.error
            #expect(error.code == "too-many-runs")
            #expect(error.message == "2 runs are open, which is the limit; delete some, or let them be forgotten")
            #expect(try await call("DELETE /runs/\(first.id)", on: server).status == 200)
            _ = try await makeRun("other", on: server)
        }
    }

    @Test func `a run is forgotten when nobody asks, connects or waits for it`() async throws {
        try await withControl { server in
            let life = ",\"lifeSeconds\":3"
            let start = ContinuousClock.now
            let forgotten = try await makeRun("other", on: server, more: life)
            let asked = try await makeRun("other", on: server, more: life)
            let used = try await makeRun("other", on: server, more: life)
            let awaited = try await makeRun("other", on: server, more: life)
            let long = try await makeRun("other", on: server)
            let own = try await server.run("other")

            async let waited = call("GET /runs/\(awaited.id)/journal?wait=30000", on: server)
            // Both are kept alive for as long as it takes until the first one is gone.
            var runs = 6
            while runs == 6, ContinuousClock.now - start < .seconds(20) {
                #expect(try await call("GET /runs/\(asked.id)", on: server).status == 200)
                #expect(try await exchange(.request("GET /"), with: used.base).text.contains(" 200 OK"))
                runs = try await call("GET /runs", on: server).list("runs").count
            }
            #expect(ContinuousClock.now - start > .milliseconds(2_900))
            try await onThread { try Wire.waitUntilRefused(by: forgotten.base) }
            #expect(try await call("GET /runs/\(forgotten.id)", on: server).status == 404)
            for id in [asked.id, used.id, awaited.id, long.id, own.id] {
                #expect(try await call("GET /runs/\(id)", on: server).status == 200)
            }
            _ = try await call("DELETE /runs/\(awaited.id)", on: server)
            #expect(try await waited.status == 200)
        }
    }
}
