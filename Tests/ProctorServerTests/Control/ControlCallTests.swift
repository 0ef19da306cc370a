import Foundation
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer
@testable import ProctorServing

/// Each call of the control API, used as it is meant to be.
struct ControlCallTests {
    @Test func `health counts scenarios, runs and seconds`() async throws {
        try await withControl { server in
            _ = try await makeRun("other", on: server)
            let reply = try await call("GET /health", on: server)
            #expect(reply.status == 200 && reply.field("Cache-Control") == "no-store")
            let health = try reply.json
            #expect(health["status"] as? String == "ok" && health.count == 6)
            let files = try #require(health["files"] as? [String: Any])
            #expect(files["read"] as? Int == 3 && files["unread"] as? Int == 0)
            #expect((files["broken"] as? [Any])?.isEmpty == true)
            #expect(health["scenarios"] as? Int == 3 && health["runs"] as? Int == 1)
            #expect(try #require(health["uptimeSeconds"] as? Int) < 3_600)
            // What tells a client whether its clock is the server's.
            let clock = try #require(health["clock"] as? [String: Any])
            #expect((clock["id"] as? String)?.isEmpty == false && (clock["ns"] as? NSNumber)?.uint64Value ?? 0 > 0)
        }
    }

    @Test func `scenarios are listed, all or those of a family`() async throws {
        try await withControl { server in
            func ids(_ query: String) async throws -> [String] {
                try await call("GET /scenarios\(query)", on: server).list("scenarios").compactMap {
                    $0["id"] as? String
                }
            }
            let all = try await ids("")
            #expect(all == ["other", "plain/deep/origins", "plain/turns"])
            let families = ["plain": 2, "plain%2Fdeep": 1, "pl": 0, "%00%FF": 0, "": 0]
            for (family, count) in families {
                let found = try await ids("?family=\(family)")
                #expect(found == all.filter { $0.hasPrefix("plain/") }.prefix(count).map(\.self))
            }
        }
    }

    @Test func `a scenario tells its origins and cases`() async throws {
        try await withControl { server in
            let scenario = try await call("GET /scenarios/plain/deep/origins", on: server).json
            #expect(scenario["summary"] as? String == "Three origins")
            #expect(scenario["spec"] as? [String] == [] && scenario["needsRoot"] as? Bool == true)
            #expect(scenario["file"] as? String == "plain/deep/origins.yaml")
            #expect(scenario["origins"] as? [String] == ["main", "other", "dead"])
            let cases = try #require(scenario["cases"] as? [[String: String]])
            #expect(
                cases == [
                    ["name": "must", "kind": "must", "wire": "request(GET /)"], ["name": "sees", "kind": "observes"],
                ])
            let turns = try await call("GET /scenarios/plain/turns", on: server).json
            #expect(turns["spec"] as? [String] == ["RFC 9110 §9.3.1", "another"])
            #expect((turns["cases"] as? [[String: String]])?.first?["summary"] == "Both of them")
        }
    }

    @Test func `a run has an address for each origin, and a life of its own`() async throws {
        try await withControl { server in
            let reply = try await call(
                "POST /runs", on: server, body: #"{"scenario":"plain/deep/origins","lifeSeconds":86400}"#)
            #expect(reply.status == 201)
            let run = try reply.json
            #expect(run["scenario"] as? String == "plain/deep/origins" && run["lifeSeconds"] as? Int == 86_400)
            let origins = try #require(run["origins"] as? [String: String])
            #expect(origins.keys.sorted() == ["dead", "main", "other"] && run["base"] as? String == origins["main"])
            for name in ["main", "other"] {
                let base = try #require(origins[name])
                #expect(try await exchange(.request("GET /"), with: base).text.hasSuffix("\r\n\r\n\(name)"))
            }
            let dead = try #require(origins["dead"])
            await #expect(throws: WireFailure.self) { try await talk(to: dead) { _ in } }

            let id = try #require(run["run"] as? String)
            #expect(try await call("GET /runs/\(id)", on: server).body == reply.body)
            let second = try await makeRun("plain/deep/origins", on: server)
            #expect(second.id != id && second.base != origins["main"])
            #expect(try await call("GET /runs/\(second.id)", on: server).json["lifeSeconds"] as? Int == 600)
        }
    }

    @Test func `several scenarios give their runs in the order asked for, a scenario twice two runs`() async throws {
        try await withControl { server in
            let reply = try await call(
                "POST /runs", on: server,
                body: #"{"scenarios":["plain/turns","other","plain/turns"],"lifeSeconds":900}"#)
            #expect(reply.status == 201)
            let runs = try reply.list("runs")
            #expect(runs.map { $0["scenario"] as? String } == ["plain/turns", "other", "plain/turns"])
            #expect(runs.allSatisfy { $0["lifeSeconds"] as? Int == 900 })
            let listed = try await call("GET /runs", on: server).list("runs")
            #expect(listed.map { $0["run"] as? String } == runs.map { $0["run"] as? String })
            #expect(Set(listed.compactMap { $0["base"] as? String }).count == 3)
        }
    }

    @Test func `several scenarios are all made or none`() async throws {
        try await withControl(configure: { $0.limits.runCount = 3 }) { server in
            _ = try await makeRun("other", on: server)
            for body in [
                #"{"scenarios":["plain/turns","plain/tunrs"]}"#, #"{"scenarios":["other","other","other"]}"#,
            ] {
                let reply = try await call("POST /runs", on: server, body: body)
                #expect(reply.status >= 400)
                #expect(try await call("GET /health", on: server).json["runs"] as? Int == 1)
            }
            let whole = try await call("POST /runs", on: server, body: #"{"scenarios":["other","other"]}"#)
            #expect(whole.status == 201)
        }
    }

    @Test func `a deleted run is gone, with its ports and connections`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let wire = try await onThread {
                let wire = try Wire(to: base)
                try wire.send(.request("GET /"))
                #expect(try wire.readReply().hasSuffix("one"))
                return wire
            }
            #expect(try await call("DELETE /runs/\(id)", on: server).text("deleted") == id)
            try await onThread {
                #expect(try wire.readToEnd() == Wire.Received("", .closed))
                try Wire.waitUntilRefused(by: base)
            }
            #expect(try await call("GET /runs/\(id)", on: server).status == 404)
            #expect(try await call("GET /runs", on: server).list("runs").isEmpty)
            #expect(try await call("DELETE /runs/\(id)", on: server).error.code == "unknown-run")
        }
    }

    @Test func `a reset run begins again, with an empty journal`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            for wanted in ["one", "two", "two"] {
                #expect(try await exchange(.request("GET /"), with: base).text.hasSuffix(wanted))
            }
            #expect(try await call("POST /runs/\(id)/reset", on: server).text("reset") == id)
            #expect(try await call("GET /runs/\(id)/journal", on: server).entries.isEmpty)
            #expect(try await exchange(.request("GET /"), with: base).text.hasSuffix("one"))
        }
    }

    @Test func `what the client reports stands in the journal between what the server saw`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /"), with: base)
            let bodies = [#"{"event":"redirect","task":3}"#, #"{"event":"p.\u0073tart"}"#]
            let wanted = ["redirect", "p.start"]
            for (body, event) in zip(bodies, wanted) {
                let reply = try await call("POST /runs/\(id)/reached", on: server, body: body)
                #expect(reply.status == 200)
                #expect(try reply.text("reached") == event)
            }
            let entries = try await call("GET /runs/\(id)/journal", on: server).entries
            let reached = entries.filter { $0["ev"] as? String == "clientReached" }
            #expect(reached.map { $0["event"] as? String } == wanted)
            #expect(reached.map { $0["task"] as? Int } == [3, 0])
            #expect(reached.allSatisfy { $0["run"] as? String == id && $0["ns"] is Int })
            #expect(entries.first?["ev"] as? String == "connectionOpened")
        }
    }

    @Test func `HEAD is GET without the content, and its length`() async throws {
        try await withControl { server in
            // Not of /health, whose up-time may get another digit in between.
            for line in ["/runs", "/scenarios", "/scenarios/other"] {
                let get = try await call("GET \(line)", on: server)
                let head = try await call("HEAD \(line)", on: server)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head.field("Content-Length") == "\(get.body.utf8.count)")
            }
        }
    }
}

struct ControlQueryTests {
    @Test(arguments: [
        ("", [:]), ("&&", [:]), ("wait", ["wait": ""]), ("a=1&b=2&a=3", ["a": "3", "b": "2"]),
        ("a+b=%41%2B+%zz", ["a b": "A+ %zz"]), ("a=b=c", ["a": "b=c"]), ("=x", ["": "x"]), ("a=%FF", ["a": "\u{FFFD}"]),
        // A query of more items than a form has is read to its end.
        (String(repeating: "x&", count: 1_500) + "after=7", ["x": "", "after": "7"]),
    ])
    func `the query is a form whose last item of a name counts`(query: String, items: [String: String]) {
        #expect(ControlRequest.items(of: Array(query.utf8)[...]) == items)
    }
}
