import ProctorServer
import ProctorTestSupport
import Testing

/// What a client reports over the control API.
@Suite(.timeLimit(.minutes(5)))
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
