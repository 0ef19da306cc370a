import ProctorHTTP
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorEvents
@testable import ProctorServer
@testable import ProctorServing

/// Requests that were made up before their client could know of a reply, on the socket and in the journal.
@Suite(.limit(minutes: 5))
struct CookieUnderWayTests {
    static let yaml = """
        summary: sets a cookie, some of it when the client says so
        exchanges:
          - { request: GET /plain, reply: { status: 200, headers: { Set-Cookie: a=1 }, body: ok } }
          - { request: POST /unread, reads: none, reply: { status: 200, headers: { Set-Cookie: a=1 }, body: ok } }
          - request: GET /held
            reply:
              status: 200
              headers: { Set-Cookie: a=1 }
              body: ok
              effects: [{ at: head, do: { await: response, within: 60s } }]
          - request: GET /other
            reply:
              status: 200
              headers: { Set-Cookie: a=2 }
              body: ok
              effects: [{ at: head, do: { await: redirect, within: 60s } }]
          - request: GET /halved
            reply:
              status: 200
              headers: { Set-Cookie: a=1 }
              body: ok
              effects: [{ at: head 20, do: { await: response, within: 60s } }]
          - request: GET /body
            reply:
              status: 200
              headers: { Set-Cookie: a=1 }
              body: ok
              effects: [{ at: body 1, do: { await: response, within: 60s } }]
          - { request: GET /*, reply: { status: 200, body: ok } }
        """

    static func cookieLines(_ run: Run, count: Int) async throws -> [String] {
        try await run.journal.lines { $0.count { $0.contains(" cookies") } >= count }
            .filter { $0.contains(" cookies") }
    }

    /// Waits until so many replies are held back.
    static func held(_ run: Run, count: Int = 1) async throws {
        _ = try await run.journal.lines { $0.count { $0.contains(" effect await") } >= count }
    }

    /// Connects, and waits until the server has noticed.
    static func connect(_ run: Run) async throws -> Wire {
        let count = run.journal.lines.count { $0.contains(" opened ") }
        let base = run.base
        let wire = try await onThread { try Wire(to: base) }
        _ = try await run.journal.lines { $0.count { $0.contains(" opened ") } > count }
        return wire
    }

    @Test func `requests that were sent before the reply to the one before them`() async throws {
        try await withRun(Self.yaml) { run in
            try await talk(to: run.base) { wire in
                try wire.send(
                    .request("GET /plain") + .request("GET /x") + .request("GET /x", "Cookie: a=1")
                        + .request("GET /x", "Cookie: a=3"))
                for _ in 0..<4 { _ = try wire.readReply() }
                _ = try wire.ask("GET /x")
            }
            #expect(
                try await Self.cookieLines(run, count: 5) == [
                    "c0 r0 cookies set: stored", "c0 r1 cookies", "c0 r2 cookies", "c0 r3 cookies wrong-value",
                    "c0 r4 cookies missing",
                ])
            #expect(run.journal.cookieVerdicts.map(\.undecidedCount) == [1, 1, 1, 0])
        }
    }

    @Test func `a request that the server has not read when the reply is sent`() async throws {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let wire = try await Self.connect(run)
            try await onThread { try wire.send(.request("GET /held")) }
            try await Self.held(run)
            try await onThread { try wire.send(.request("GET /x")) }
            run.reached(event: .response)
            try await onThread {
                for _ in 0..<2 { _ = try wire.readReply() }
                _ = try wire.ask("GET /x")
                wire.close()
            }
            #expect(
                try await Self.cookieLines(run, count: 3) == [
                    "c0 r0 cookies set: stored", "c0 r1 cookies", "c0 r2 cookies missing",
                ])
        }
    }

    @Test func `a request by another connection that was opened before the reply went out`() async throws {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let first = try await Self.connect(run)
            try await onThread { try first.send(.request("GET /held")) }
            try await Self.held(run)
            let second = try await Self.connect(run)
            run.reached(event: .response)
            try await onThread {
                _ = try first.readReply()
                for _ in 0..<2 { _ = try second.ask("GET /x") }
                for wire in [first, second] { wire.close() }
            }
            _ = try await exchange(.request("GET /x"), with: run.base)
            #expect(
                try await Self.cookieLines(run, count: 4) == [
                    "c0 r0 cookies set: stored", "c1 r1 cookies", "c1 r2 cookies missing", "c2 r3 cookies missing",
                ])
        }
    }

    @Test func `a request beside a reply whose head is not out yet`() async throws {
        for target in ["/held", "/halved"] {
            try await withRun(Self.yaml) { run in
                run.expectsReports = true
                let base = run.base
                let first = try await Self.connect(run)
                try await onThread { try first.send(.request("GET \(target)")) }
                try await Self.held(run)
                _ = try await talk(to: base) { [try $0.ask("GET /x"), try $0.ask("GET /x", "Cookie: a=1")] }
                // No client can know of it.
                #expect(try await Self.cookieLines(run, count: 1) == ["c1 r2 cookies unknown"])
                first.close()
            }
        }
    }

    @Test func `a reply whose head is out is known, whatever becomes of its body`() async throws {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let first = try await Self.connect(run)
            try await onThread {
                try first.send(.request("GET /body"))
                _ = try first.readHead()
            }
            let base = run.base
            _ = try await talk(to: base) { try $0.ask("GET /x") }
            #expect(try await Self.cookieLines(run, count: 2).last == "c1 r1 cookies missing")
            first.close()
        }
    }

    @Test func `concurrent replies may be read in either order, also by later requests`() async throws {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let wires = [try await Self.connect(run), try await Self.connect(run)]
            for (index, target) in ["/held", "/other"].enumerated() {
                try await onThread { try wires[index].send(.request("GET \(target)")) }
                try await Self.held(run, count: index + 1)
            }
            run.reached(event: .response)
            _ = try await Self.cookieLines(run, count: 1)
            run.reached(event: .redirect)
            try await onThread {
                for wire in wires {
                    _ = try wire.readReply()
                    wire.close()
                }
            }
            let base = run.base
            _ = try await talk(to: base) { wire in
                [
                    try wire.ask("GET /x", "Cookie: a=1"), try wire.ask("GET /x", "Cookie: a=2"),
                    try wire.ask("GET /x"), try wire.ask("GET /plain", "Cookie: a=2"),
                    try wire.ask("GET /x", "Cookie: a=1"), try wire.ask("GET /x", "Cookie: a=2"),
                ]
            }
            let lines = try await Self.cookieLines(run, count: 9).map { $0.drop { $0 != " " }.dropFirst() }
            #expect(
                lines == [
                    "r0 cookies set: stored", "r1 cookies set: replaced", "r2 cookies", "r3 cookies",
                    "r4 cookies missing", "r5 cookies", "r5 cookies set: replaced", "r6 cookies",
                    "r7 cookies old-value",
                ])
        }
    }

    @Test func `a deletion that was held back is one of what came meanwhile`() async throws {
        let yaml = Self.yaml.replacing(
            "  - request: GET /halved\n",
            with: """
                  - request: GET /gone
                    reply:
                      status: 200
                      headers: { Set-Cookie: a=; Max-Age=0 }
                      body: ok
                      effects: [{ at: head, do: { await: response, within: 60s } }]
                  - request: GET /halved

                """)
        try await withRun(yaml) { run in
            run.expectsReports = true
            let first = try await Self.connect(run)
            try await onThread { try first.send(.request("GET /gone")) }
            try await Self.held(run)
            let base = run.base
            _ = try await exchange(.request("GET /plain"), with: base)
            run.reached(event: .response)
            try await onThread {
                _ = try first.readReply()
                // A client that reads the two in order has no cookie; one that reads them in the other order has it.
                _ = try first.ask("GET /x")
                _ = try first.ask("GET /x", "Cookie: a=1")
                first.close()
            }
            #expect(
                try await Self.cookieLines(run, count: 3).map { $0.drop { $0 != " " }.dropFirst() } == [
                    "r1 cookies set: stored", "r0 cookies set: deleted", "r3 cookies",
                ])
        }
    }

    @Test func `a request behind another one that is held, unread when a reply goes out beside it`() async throws {
        try await withRun(Self.yaml) { run in
            run.expectsReports = true
            let wire = try await Self.connect(run)
            try await onThread { try wire.send(.request("GET /held")) }
            try await Self.held(run)
            try await onThread { try wire.send(.request("GET /x")) }
            let base = run.base
            // Sets it while the other connection has a request unread.
            _ = try await exchange(.request("GET /plain"), with: base)
            run.reached(event: .response)
            try await onThread {
                for _ in 0..<2 { _ = try wire.readReply() }
                wire.close()
            }
            let verdicts = run.journal.cookieVerdicts
            #expect(verdicts.allSatisfy { $0.differences.isEmpty }, "\(verdicts)")
        }
    }

    @Test func `the next request after unread content is judged with the reply's cookies`() async throws {
        try await withRun(Self.yaml) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("POST /unread", "Content-Length: 4"))
                try wire.send("abc")
                _ = try wire.readReply()
                try wire.send("d")
                _ = try wire.ask("GET /x")
            }
            #expect(
                try await Self.cookieLines(run, count: 2) == ["c0 r0 cookies set: stored", "c0 r1 cookies missing"])
        }
    }
}

/// When a request counts as begun.
struct RequestArrivalTests {
    @Test func `the first request of a connection begins with it, the second with its first byte`() {
        var arrival = RequestArrival(opening: 5)
        arrival.start(at: 7)
        #expect(arrival.isFirst && arrival.began(at: 9) == 5)
        arrival.reset()
        #expect(!arrival.isFirst && arrival.began(at: 20) == 20)
        arrival.start(at: 21)
        arrival.start(at: 22)
        #expect(arrival.began(at: 30) == 21)
    }

    @Test func `what was kept began when it was read`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didKeep(at: 10)
        for moment in [20 as UInt64, 30] {
            arrival.reset()
            arrival.beginWithKept()
            #expect(arrival.began(at: moment) == 10)
        }
    }

    @Test func `what was found waiting began no later than that`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didFindWaiting(isNext: true, at: 10)
        arrival.didFindWaiting(isNext: true, at: 11)
        #expect(arrival.began(at: 12) == 0)
        arrival.reset()
        #expect(arrival.began(at: 20) == 10)
        arrival.didKeep(at: 21)
        arrival.reset()
        #expect(arrival.began(at: 30) == 30)
        arrival.beginWithKept()
        #expect(arrival.began(at: 30) == 10)
        arrival.reset()
        arrival.didFindWaiting(isNext: false, at: 40)
        #expect(arrival.began(at: 50) == 40)
    }

    @Test func `the first stream of a connection begins with it, the others with their field blocks`() {
        var arrival = RequestArrival(opening: 5)
        let streams = [7, 7, 9].map { arrival.takeStream(at: $0, offset: 0).began(at: 20) }
        #expect(streams == [5, 7, 9])
    }

    @Test func `every stream that may have been found waiting began no later than that`() {
        var arrival = RequestArrival(opening: 0)
        _ = arrival.takeStream(at: 1, offset: 0)
        arrival.didFindWaiting(isNext: false, at: 10)
        arrival.didReadAll()
        #expect(arrival.hasWaiting, "nothing was read since")
        arrival.didRead(60)
        #expect([12, 13].map { arrival.takeStream(at: $0, offset: 0).began(at: 20) } == [10, 10])
        arrival.didReadAll()
        #expect(!arrival.hasWaiting)
        #expect(arrival.takeStream(at: 14, offset: 60).began(at: 20) == 14)
    }

    @Test func `a stream behind the bytes that were found waiting is not among them`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didRead(100)
        _ = arrival.takeStream(at: 1, offset: 24)
        arrival.didFindWaiting(isNext: false, byteCount: 30, at: 10)
        arrival.didFindWaiting(isNext: false, byteCount: 40, at: 11)
        arrival.didRead(70)
        #expect(arrival.takeStream(at: 12, offset: 139).began(at: 20) == 10)
        #expect(arrival.takeStream(at: 12, offset: 140).began(at: 20) == 12)
        #expect(!arrival.hasWaiting)
        arrival.didFindWaiting(isNext: false, at: 15)
        #expect(arrival.takeStream(at: 16, offset: 1_000).began(at: 20) == 15)
    }
}
