import ProctorHTTP2
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer
@testable import ProctorServing

/// In every pause of a reply the end of the client is in the journal before the end of the pause, on each wire.
@Suite(.limit(minutes: 5))
struct PauseTests {
    /// Seconds that a pause takes which nothing ends: longer than a test waits for a line.
    private static let pause = min(600, Patience.seconds * 2)

    /// Where a reply waits, and the line of the journal behind which it does.
    struct Place: Sendable, CustomTestStringConvertible {
        let name: String
        /// Of the scenario behind its summary.
        let yaml: String
        /// A part of the line, which the reader of the journal waits for.
        let line: String
        var target = "GET /"
        /// Whether HTTP/2 has it too.
        var isOfHTTP2 = true
        /// Whether the end of the client's half ends the pause.
        var endsAtFIN = false
        var testDescription: String { name }

        static func reply(_ name: String, _ text: String, line: String) -> Place {
            Place(name: name, yaml: "exchanges: [{ request: \"* /*\", reply: { \(text) } }]", line: line)
        }

        static func script(_ name: String, _ text: String, line: String) -> Place {
            var place = Place(
                name: name,
                yaml: "exchanges:\n  - request: \"* /*\"\n    reply:\n      script: |\n        \(text)\n", line: line)
            place.isOfHTTP2 = false
            return place
        }

        static let waiting = "wait \(PauseTests.pause)s"

        static let all: [Place] =
            ["head", "head 0", "head 5", "body 4", "wire 3", "end"].map { position in
                var place = reply(
                    "wait at \(position)",
                    "status: 200, body: \"0123456789\", effects: [{ at: \(position), do: \(waiting) }]",
                    line: "effect wait")
                place.isOfHTTP2 = !["head 5", "wire 3"].contains(position)
                return place
            } + [
                reply("a wait in the body", "status: 200, body: [ab, { do: \(waiting) }, cd]", line: "effect wait"),
                reply(
                    "a pace", "status: 200, body: \"0123456789\", pace: { bytes: 4, every: \(PauseTests.pause)s }",
                    line: "begins 200"),
                reply(
                    "a sync point",
                    "status: 200, body: ab, effects: [{ at: body 1, do: { await: response, within: \(PauseTests.pause)s } }]",
                    line: "effect await"),
                Place(
                    name: "a stall",
                    yaml: """
                        exchanges:
                          - request: "* /*"
                            reply: { status: 200, body: ab, effects: [{ at: body 1, do: stall }] }
                        """,
                    line: "effect stall", endsAtFIN: true),
                script("wait of a script", "wait(\(PauseTests.pause))", line: "effect wait"),
                Place(
                    name: "an effect of the connection at accept",
                    yaml: """
                        origins: { main: { connections: [{ at: accept, do: \(waiting) }] } }
                        exchanges: [{ request: "* /*", reply: { status: 200 } }]
                        """, line: "effect wait", isOfHTTP2: false),
                Place(
                    name: "an effect of the connection in a head",
                    yaml: """
                        origins: { main: { connections: [{ at: request-head 3, do: \(waiting) }] } }
                        exchanges: [{ request: "* /*", reply: { status: 200 } }]
                        """, line: "effect wait", isOfHTTP2: false),
                Place(
                    name: "a script behind 101",
                    yaml: """
                        exchanges:
                          - request: "* /*"
                            reply:
                              status: 101
                              headers: { Upgrade: echo, Connection: upgrade }
                              opaque: [{ send: ab }, { do: \(waiting) }, { send: cd }]
                        """, line: "effect wait", isOfHTTP2: false),
            ]
    }

    enum End: String, Sendable, CaseIterable {
        case close, reset
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let place: Place
        let end: End
        var testDescription: String { "\(place.name), \(end.rawValue)" }

        static let all = Place.all.flatMap { place in End.allCases.map { Row(place: place, end: $0) } }
    }

    private static func withPlace<Result>(
        _ place: Place, _ more: String = "", _ body: (Run) async throws -> Result
    ) async throws -> Result {
        try await withRun("summary: s\n\(place.yaml)\n\(more)") { run in
            run.expectsReports = true
            return try await body(run)
        }
    }

    /// Waits until the reply has come to its pause.
    private static func awaitPause(_ place: Place, of run: Run) async throws {
        let lines = try await run.journal.allLines { $0.contains { $0.contains(place.line) } }
        try #require(lines.contains { $0.contains(place.line) }, "\(lines)")
    }

    @Test(arguments: Row.all)
    func `a client that leaves ends every pause of HTTP/1.1`(_ row: Row) async throws {
        try await Self.withPlace(row.place) { run in
            let wire = try await onThread {
                let wire = try Wire(to: run.base)
                try wire.send(.request(row.place.target))
                return wire
            }
            try await Self.awaitPause(row.place, of: run)
            row.end == .close ? wire.close() : wire.reset()
            let lines = try await run.journal.lines(untilClosed: 1)
            // Unread bytes of ours make a close of the client's an RST in the end.
            let ends = row.end == .close ? ["closed", "reset"] : ["reset"]
            #expect(ends.contains { lines.last == "c0 closed by client: \($0)" }, "\(lines)")
        }
    }

    @Test(arguments: Row.all.filter { !$0.place.yaml.contains("origins:") })
    func `a client that leaves a tunnel of CONNECT ends every pause within`(_ row: Row) async throws {
        try await Self.withPlace(row.place, "origins: { main: { host: home.example.org } }") { run in
            let door = NamedRun(run: run).door
            let wire = try await onThread {
                let wire = try Wire(to: door)
                try wire.send("CONNECT home.example.org:80 HTTP/1.1\r\nHost: home.example.org:80\r\n\r\n")
                _ = try wire.readHead()
                try wire.send("\(row.place.target) HTTP/1.1\r\nHost: home.example.org\r\n\r\n")
                return wire
            }
            try await Self.awaitPause(row.place, of: run)
            row.end == .close ? wire.close() : wire.reset()
            let lines = try await run.journal.lines(untilClosed: 2)
            let ends = row.end == .close ? ["closed", "reset"] : ["reset"]
            for connection in ["c1", "c0"] {
                #expect(ends.contains { lines.contains("\(connection) closed by client: \($0)") }, "\(lines)")
            }
        }
    }

    @Test(arguments: Row.all.filter { $0.place.isOfHTTP2 })
    func `a client that leaves ends every pause of HTTP/2`(_ row: Row) async throws {
        try await Self.withPlace(row.place, "origins: { main: { protocols: [h2] } }") { run in
            let frames = try await onThread {
                let frames = try FrameWire(try Wire(to: run.base))
                try frames.request(row.place.target)
                return frames
            }
            try await Self.awaitPause(row.place, of: run)
            row.end == .close ? frames.wire.close() : frames.wire.reset()
            let lines = try await run.journal.lines(untilClosed: 1)
            let ends = row.end == .close ? ["closed", "reset"] : ["reset"]
            #expect(ends.contains { lines.last == "c0 closed by client: \($0)" }, "\(lines)")
        }
    }

    @Test(arguments: Place.all.filter(\.isOfHTTP2))
    func `RST_STREAM ends every pause of its stream, and the connection goes on`(_ place: Place) async throws {
        try await Self.withPlace(place, "origins: { main: { protocols: [h2] } }") { run in
            let frames = try await onThread {
                let frames = try FrameWire(try Wire(to: run.base))
                try frames.request(place.target)
                return frames
            }
            defer { frames.wire.close() }
            try await Self.awaitPause(place, of: run)
            try frames.send(.resetStream(1, .cancel))
            let lines = try await run.journal.allLines { lines in
                lines.contains { $0.contains("r0 aborted") || $0.contains("r0 sent") }
            }
            let frame = try #require(lines.firstIndex { $0.contains("frame RST_STREAM 1 by client") }, "\(lines)")
            // Behind its last frame a reply is whole.
            let wanted = place.name == "wait at end" ? "r0 sent 200" : "r0 aborted"
            #expect(lines[frame...].contains { $0.contains(wanted) }, "\(lines)")
            #expect(!lines.contains { $0.contains("closed by") })
        }
    }

    @Test func `GOAWAY of a client is told in a pause, and its end with the connection's`() async throws {
        let place = Place.all[0]
        try await Self.withPlace(place, "origins: { main: { protocols: [h2] } }") { run in
            let frames = try await onThread {
                let frames = try FrameWire(try Wire(to: run.base))
                try frames.request("GET /")
                return frames
            }
            try await Self.awaitPause(place, of: run)
            try frames.send(.goAway(lastStream: 0, .noError, debug: []))
            let lines = try await run.journal.allLines { $0.contains { $0.contains("frame GOAWAY") } }
            #expect(lines.last == "c0 frame GOAWAY 0 by client" && !lines.contains { $0.contains("aborted") })
            frames.wire.close()
            let all = try await run.journal.lines(untilClosed: 1)
            // Frames that the client has not read make its close an RST.
            #expect(all.suffix(2).first?.hasPrefix("c0 r0 aborted 0: the client") == true, "\(all)")
            #expect(all.last?.hasPrefix("c0 closed by client: ") == true, "\(all)")
        }
    }

    /// The pause that a half-close does not end.
    private static let short = "status: 200, body: [ab, { do: wait 300ms }, cd]"

    @Test func `a client that half-closes gets its whole reply, and the journal has FIN at once`() async throws {
        try await withRun(always("{ \(Self.short) }")) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.suffix(4) == [
                    "c0 r0 effect wait 0.3 seconds at body 2", "c0 FIN received", "c0 r0 sent 200 42",
                    "c0 closed by client: closed",
                ])
            let entries = run.journal.snapshot().entries
            let fin = try #require(entries.first { if case .finReceived = $0.event { true } else { false } })
            let sent = try #require(entries.first { if case .replySent = $0.event { true } else { false } })
            #expect(sent.nanoseconds - fin.nanoseconds > 100_000_000)
        }
    }

    @Test func `a client of HTTP/2 that half-closes gets its whole reply`() async throws {
        try await withRun(always("{ \(Self.short) }", more: "origins: { main: { protocols: [h2] } }")) { run in
            let content = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                wire.finish()
                return try frames.content(until: "cd")
            }
            #expect(content == "abcd")
            #expect(try await run.journal.lines(untilClosed: 1).contains("c0 FIN received"))
        }
    }

    @Test func `a half-closed client that closes ends the pause too`() async throws {
        let place = Place.all[3]
        try await Self.withPlace(place) { run in
            let wire = try await onThread {
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                _ = try wire.read(4)
                wire.finish()
                return wire
            }
            _ = try await run.journal.lines { $0.contains("c0 FIN received") }
            wire.close()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.suffix(3) == [
                    "c0 FIN received", "c0 r0 aborted 43: the client closed the connection",
                    "c0 closed by client: closed",
                ])
        }
    }

    @Test func `bytes that come in a pause are those of the next request`() async throws {
        try await withRun(always("{ \(Self.short) }")) { run in
            let text = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /a"))
                _ = try wire.readHead()
                try wire.send(.request("GET /b", "Connection: close"))
                return try wire.readToEnd().text
            }
            #expect(text == "abcdHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
            #expect(run.journal.lines.contains("c0 r1 head GET /b"))
        }
    }

    @Test func `a request that came before its client left is read, and its reply has nobody`() async throws {
        let place = Place.all.first { $0.name.hasSuffix("accept") }
        try await Self.withPlace(try #require(place)) { run in
            let wire = try await onThread { try Wire(to: run.base) }
            try await Self.awaitPause(try #require(place), of: run)
            try wire.send(.request("GET /late"))
            wire.close()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.suffix(4) == [
                    "c0 r0 head GET /late", "c0 r0 exchange 0 turn 0",
                    "c0 r0 aborted 0: the client closed the connection", "c0 closed by client: closed",
                ])
        }
    }

    @Test(arguments: ["wait(\(pause))", "stall()", "await('response')"])
    func `a script learns that its client has left, and may change the state`(_ step: String) async throws {
        let yaml = """
            state: { cancelled: "no" }
            exchanges:
              - request: "* /*"
                reply:
                  script: |
                    if not send("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n") then return end
                    if not \(step) then
                      state.set("cancelled", "yes")
                      wait(\(Self.pause))
                      state.set("cancelled", "twice")
                    end
            """
        let place = Place(name: "a script", yaml: yaml, line: "effect \(step.prefix { $0 != "(" })")
        try await Self.withPlace(place) { run in
            let wire = try await onThread {
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                return wire
            }
            try await Self.awaitPause(place, of: run)
            wire.close()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.suffix(3).first == "c0 r0 state cancelled yes", "\(lines)")
            #expect(lines.suffix(2).first?.contains("aborted") == true && lines.last?.contains("by client") == true)
        }
    }

    @Test func `a step that the client stays for returns true`() async throws {
        let yaml = """
            summary: s
            exchanges:
              - request: "* /*"
                reply:
                  script: |
                    local sent = send("HTTP/1.1 200 OK\\r\\nContent-Length: 8\\r\\n\\r\\n")
                    send(tostring(sent) .. tostring(wait(0.001)))
            """
        try await withRun(yaml) { run in
            let received = try await exchange(.request("GET /"), with: run.base)
            #expect(received.text.hasSuffix("\r\n\r\ntruetrue"), "\(received)")
        }
    }

    @Test(arguments: ["slice: every-byte", "slice: { size: 1 }"])
    func `slices that nobody reads end with their client`(_ slice: String) async throws {
        try await withRun(always("{ status: 200, body: abcdef, \(slice) }")) { run in
            let wire = try await onThread {
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.read(1)
                return wire
            }
            wire.close()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last?.hasPrefix("c0 closed by client: ") == true, "\(lines)")
        }
    }
}

extension Journal {
    /// Like ``lines(until:)`` with the beginnings of replies.
    func allLines(until isComplete: ([String]) -> Bool) async throws -> [String] {
        let start = ContinuousClock.now
        while true {
            let lines = snapshot().entries.map(\.line)
            if isComplete(lines) || ContinuousClock.now - start > Patience.whole { return lines }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
