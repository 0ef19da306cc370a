import Foundation
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// Effects before an exchange is known: at `accept`, `request-head` and `request-body`.
struct ConnectionEffectTests {
    private func yaml(_ effects: String...) -> String {
        let items = effects.map { "      - { \($0) }" }.joined(separator: "\n")
        return """
            summary: effects on connections
            origins:
              main:
                connections:
            \(items)
            exchanges:
              - request: "* /*"
                reply: { status: 200, body: ok }
            """
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test(arguments: ["close", "reset", "half-close", "close, abrupt: true", "reset, abrupt: true"])
    func `a connection can end at accept, before anything was sent`(action: String) async throws {
        try await withRun(yaml("at: accept, do: \(action)")) { run in
            let got = try await talk(to: run.base) { try $0.readToEnd() }
            let how = action.hasPrefix("reset") ? "reset" : "closed"
            #expect(got == Wire.Received("", how == "reset" ? .reset : .closed))
            let text = action.replacing(", abrupt: true", with: " abrupt")
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 effect \(text) at accept", "c0 closed by server: \(how)",
                ])
        }
    }

    @Test func `bytes can be sent, and time can pass, before the request is read`() async throws {
        try await withRun(yaml("at: accept, do: wait 40ms", "at: accept, do: { send: \"{{base}} \" }")) { run in
            let start = ContinuousClock.now
            let got = try await exchange(.request("GET /"), with: run.base)
            let duration = ContinuousClock.now - start
            #expect(got == Wire.Received("\(run.base) \(Self.ok)", .closed))
            #expect(duration >= .milliseconds(40))
        }
    }

    @Test func `a stall at accept is silent until the client leaves`() async throws {
        try await withRun(yaml("at: accept, do: stall")) { run in
            let wasSilent = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                return wire.isSilent(milliseconds: 40)
            }
            #expect(wasSilent)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by client: closed")
            #expect(!lines.contains { $0.contains("head") })
        }
    }

    @Test func `effects apply to the connections that are named`() async throws {
        let effects = yaml("at: accept, do: reset, on: 1", "at: request-head, do: close, on: 2-3")
        try await withRun(effects) { run in
            var endings: [Wire.Received] = []
            for number in 0..<5 {
                endings.append(
                    try await talk(to: run.base) { wire in
                        // A failed send would take the reset that we want to read.
                        if number != 1 {
                            try wire.send(.request("GET /"))
                            wire.finish()
                        }
                        return try wire.readToEnd()
                    })
            }
            let ok = Wire.Received(Self.ok, .closed)
            #expect(
                endings == [ok, Wire.Received("", .reset), Wire.Received("", .closed), Wire.Received("", .closed), ok])
        }
    }

    @Test func `an effect in a head waits until its byte has come`() async throws {
        try await withRun(yaml("at: request-head 6, do: close")) { run in
            let (isSilent, rest) = try await talk(to: run.base) { wire in
                try wire.send("GET / ")
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("H")
                return (isSilent, try wire.readToEnd())
            }
            #expect(isSilent)
            #expect(rest == Wire.Received("", .closed))
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 effect close at request-head 6", "c0 closed by server: closed",
                ])
        }
    }

    @Test func `an effect in a head is played when the whole head comes at once`() async throws {
        try await withRun(yaml("at: request-head 6, do: send !")) { run in
            let got = try await exchange(.request("GET /") + .request("GET /"), with: run.base)
            #expect(got == Wire.Received("!\(Self.ok)!\(Self.ok)", .closed))
        }
    }

    @Test(arguments: [0, 1, 3])
    func `an effect in a body waits until its byte has come`(offset: Int) async throws {
        try await withRun(yaml("at: request-body \(offset), do: reset")) { run in
            let (isSilent, rest) = try await talk(to: run.base) { wire in
                try wire.send(.request("POST /", "Content-Length: 4") + "abcd".prefix(offset))
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("x")
                return (isSilent, try wire.readToEnd())
            }
            #expect(isSilent)
            #expect(rest == Wire.Received("", .reset))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 effect reset at request-body \(offset)"))
            #expect(lines.contains("c0 r0 body \(offset) cut"))
            #expect(lines.last == "c0 closed by server: reset")
        }
    }

    @Test func `positions in a body count bytes as framed`() async throws {
        // "3\r\nabc\r\n" are eight bytes; the effect stands before the second chunk's size.
        try await withRun(yaml("at: request-body 8, do: send !")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("POST /", "Transfer-Encoding: chunked") + "3\r\nabc\r\n")
                let isSilent = wire.isSilent(milliseconds: 30)
                try wire.send("0\r\n\r\n")
                wire.finish()
                return (isSilent, try wire.readToEnd())
            }
            #expect(got.0)
            #expect(got.1 == Wire.Received("!\(Self.ok)", .closed))
        }
    }

    @Test func `effects of requests are played for every request, and not for a client that leaves`() async throws {
        try await withRun(yaml("at: request-head, do: wait 1ms", "at: accept, do: wait 1ms")) { run in
            _ = try await exchange(.request("GET /") + .request("GET /"), with: run.base)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count { $0.contains("at request-head") } == 2)
            #expect(lines.count { $0.contains("at accept") } == 1)
            #expect(lines.last == "c0 closed by client: closed")
        }
    }

    @Test func `an effect of a later request leaves those before it alone`() async throws {
        let effects = yaml("at: request-head 1, do: close, request: 1", "at: request-head, do: wait 1ms, request: 1-3")
        try await withRun(effects) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                let first = try wire.readReply()
                // The race of a kept-alive connection: it ends just as the next request comes.
                let isOpen = wire.isSilent(milliseconds: 30)
                try wire.send(.request("GET /"))
                return (first, isOpen, try wire.readToEnd())
            }
            #expect(got.0 == Self.ok)
            #expect(got.1)
            #expect(got.2 == Wire.Received("", .closed))
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 r0 head GET /", "c0 r0 exchange 0 turn 0", "c0 r0 sent 200 40",
                    "c0 effect wait 0.001 seconds at request-head", "c0 effect close at request-head 1",
                    "c0 closed by server: closed",
                ])
        }
    }

    @Test(arguments: [("0", [0]), ("1-2", [1, 2]), ("3", [])])
    func `the requests of a connection are counted from 0, on each connection`(
        requests: String, wanted: [Int]
    ) async throws {
        try await withRun(yaml("at: request-head, do: send !, request: \(requests)")) { run in
            for _ in 0..<2 {
                let got = try await exchange(String(repeating: .request("GET /"), count: 3), with: run.base)
                let replies = (0..<3).map { (wanted.contains($0) ? "!" : "") + Self.ok }
                #expect(got == Wire.Received(replies.joined(), .closed))
            }
        }
    }

    @Test func `effects in bodies are those of the named request`() async throws {
        try await withRun(yaml("at: request-body 1, do: send !, request: 1")) { run in
            let post = String.request("POST /", "Content-Length: 2") + "ab"
            let got = try await exchange(post + post + post, with: run.base)
            #expect(got == Wire.Received("\(Self.ok)!\(Self.ok)\(Self.ok)", .closed))
        }
    }
}
