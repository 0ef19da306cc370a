import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The limit of runs, and the life of runs that no client ends.
struct RunLifeTests {

    @Test func `a run without calls, connections and waiting calls is ended`() async throws {
        try await withControl { server in
            let own = try await server.run("other")
            let base = server.base
            // On one thread: between two tasks a busy pool may let more time pass than a run has to live.
            try await onThread {
                let start = ContinuousClock.now
                let forgotten = try makeBriefRun(at: base, lifeSeconds: 8)
                let asked = try makeBriefRun(at: base, lifeSeconds: 8)
                let used = try makeBriefRun(at: base, lifeSeconds: 8)
                let awaited = try makeBriefRun(at: base, lifeSeconds: 8)
                let long = try makeBriefRun(at: base)
                let waiting = try Wire(to: base)
                defer { waiting.close() }
                try waiting.send(controlRequest("GET /runs/\(awaited.id)/journal?wait=30000"))
                // Both are kept alive for as long as it takes until the first one is gone.
                var runs = 6
                while runs == 6, ContinuousClock.now - start < Patience.whole {
                    #expect(try callNow("GET /runs/\(asked.id)", at: base).status == 200)
                    #expect(try exchangeNow(.request("GET /"), with: used.base).text.contains(" 200 OK"))
                    runs = try callNow("GET /runs", at: base).list("runs").count
                }
                #expect(ContinuousClock.now - start > .milliseconds(7_900))
                try Wire.waitUntilRefused(by: forgotten.base)
                #expect(try callNow("GET /runs/\(forgotten.id)", at: base).status == 404)
                for id in [asked.id, used.id, awaited.id, long.id, own.id] {
                    #expect(try callNow("GET /runs/\(id)", at: base).status == 200)
                }
                _ = try callNow("DELETE /runs/\(awaited.id)", at: base)
                #expect(try ControlReply(waiting.readReply()).status == 200)
            }
        }
    }

    private func makeBriefRun(at base: String, lifeSeconds: Int? = nil) throws -> (id: String, base: String) {
        let life = lifeSeconds.map { ",\"lifeSeconds\":\($0)" } ?? ""
        let reply = try callNow("POST /runs", at: base, body: "{\"scenario\":\"other\"\(life)}")
        #expect(reply.status == 201)
        return (try reply.text("run"), try reply.text("base"))
    }
}
