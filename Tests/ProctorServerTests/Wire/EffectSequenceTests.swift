import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Effects together: their order, between the pieces of a body, alone, and without a body.
struct EffectSequenceTests {
    @Test func `effects at one position are played in the order of the file`() async throws {
        let reply = """
            { status: 200, body: abcd, effects: [ { at: body 2, do: send 1 }, { at: body 2, do: send 2 },
              { at: head, do: send 0 }, { at: end, do: send 3 }, { at: end, do: close } ] }
            """
        let got = try await withRun(always(reply)) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                return try wire.readToEnd()
            }
        }
        #expect(got == Wire.Received("0HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab12cd3", .closed))
    }

    @Test func `effects between the pieces of a body stand before those of the list`() async throws {
        let reply = """
            { status: 200, body: [ ab, { do: send 1 }, { do: wait 30ms }, cd, { do: send 3 } ],
              effects: [ { at: body 2, do: send 2 } ] }
            """
        let (got, duration) = try await withRun(always(reply)) { run in
            let start = ContinuousClock.now
            return (try await exchange(.request("GET /"), with: run.base), ContinuousClock.now - start)
        }
        #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab12cd3", .closed))
        #expect(duration >= .milliseconds(30))
    }

    @Test func `bytes that an effect sends are late-bound like those of a body`() async throws {
        let yaml = """
            summary: late-bound effects
            exchanges:
              - request: GET /{name}
                reply: { status: 200, body: ok, effects: [ { at: end, do: "send {{path.name}} {{base}}" } ] }
              - request: PUT /{name}
                reply: { effects: [ { at: head, do: { send: "{{path.name}}" } }, { at: end, do: close } ] }
            """
        try await withRun(yaml) { run in
            let got = try await exchange(.request("GET /me"), with: run.base)
            #expect(got.text == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokme \(run.base)")
            #expect(try await exchange(.request("PUT /you"), with: run.base) == Wire.Received("you", .closed))
        }
    }

    @Test func `a reply of effects alone sends nothing of its own, and the connection stays`() async throws {
        let yaml = """
            summary: effects alone
            exchanges:
              - request: GET /
                reply: { effects: [ { at: head, do: wait 20ms } ] }
              - request: GET /next
                reply: { status: 200, body: next }
            """
        try await withRun(yaml) { run in
            let got = try await exchange(.request("GET /") + .request("GET /next"), with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 sent raw 0"))
        }
    }

    @Test func `HEAD has no body positions, but an end`() async throws {
        let reply = """
            { status: 200, body: abcd, effects: [ { at: body 1, do: send NO }, { at: wire 2, do: send NO },
              { at: end, do: send YES } ] }
            """
        let got = try await withRun(always(reply)) { run in try await exchange(.request("HEAD /"), with: run.base) }
        #expect(got.text == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nYES")
    }

    @Test func `a reset after a large body leaves every byte before it to be read`() async throws {
        let reply = """
            { status: 200, body: { repeat: abcdefgh, bytes: 8388608 }, effects: [ { at: body 4194304, do: reset } ] }
            """
        // However slow the machine is, the reset has to wait for the client here.
        let got = try await withRun(always(reply), configure: { $0.limits.settleDuration = .seconds(60) }) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                return try wire.drain { $1 == UInt8(ascii: "a") + UInt8($0 % 8) }
            }
        }
        #expect(got.byteCount == 4_194_304 && got.isRight && got.ending == .reset)
    }

    @Test func `a reset waits for a client that takes nothing, but not for ever`() async throws {
        let reply = """
            { status: 200, body: { repeat: x, bytes: 100000 }, effects: [ { at: end, do: reset } ] }
            """
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.settleDuration = .milliseconds(50) }
        try await withRun(always(reply), configure: configure) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base, receiveByteCount: 4_096)
                try wire.send(.request("GET /"))
                return wire
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by server: reset")
            #expect(try await onThread { try wire.readToEnd().bytes.count } < 100_000)
        }
    }

    @Test func `a stall ends at its bound`() async throws {
        let reply = "{ status: 200, body: abcd, effects: [ { at: body 2, do: stall } ] }"
        try await withRun(
            always(reply), configure: { $0.limits.stallDuration = .milliseconds(60) },
            { run in
                let (got, duration) = try await talk(to: run.base) { wire in
                    try timed {
                        try wire.send(.request("GET /"))
                        return try wire.readToEnd()
                    }
                }
                #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", .closed))
                #expect(duration >= .milliseconds(60))
                let lines = try await run.journal.lines(untilClosed: 1)
                #expect(lines.last == "c0 closed by server: timedOut")
            })
    }

    @Test func `a client that resets during a stall is told from one that closes`() async throws {
        let reply = "{ status: 200, body: abcd, effects: [ { at: body 2, do: stall } ] }"
        try await withRun(always(reply)) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                _ = try wire.read(2)
                wire.reset()
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.suffix(2) == ["c0 r0 aborted 40: the client reset the connection", "c0 closed by client: reset"])
        }
    }
}
