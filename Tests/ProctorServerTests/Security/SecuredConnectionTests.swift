import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorServer
@testable import ProctorServing

/// Ordinary conversations over TLS, by clients that others wrote.
@Suite(.limit(minutes: 5))
struct SecuredConnectionTests {
    private func curl(_ run: Run, _ words: String..., trusting: Bool = true) async throws -> ChildProcess.Outcome {
        let trust = trusting ? ["--cacert", run.trust ?? ""] : []
        return try await ChildProcess.run(["/usr/bin/env", "curl", "-sS", "--max-time", "60"] + trust + words)
    }

    private func secured(_ reply: String, _ tls: String = "", more: String = "") -> String {
        """
        summary: answers over TLS
        origins:
          main: { scheme: https\(tls.isEmpty ? "" : ", \(tls)") }
        exchanges:
          - request: "GET /*"
            reply: \(reply)
        \(more)
        """
    }

    @Test func `a reply names itself by https, and the journal has the handshake`() async throws {
        try await withRun(secured("{ status: 200, body: \"{{base}} {{origin}}\" }")) { run in
            #expect(run.base.hasPrefix("https://127.") && run.origins[0].url == run.base)
            let outcome = try await curl(run, run.base + "/a")
            #expect(outcome.out == "\(run.base) \(run.base)", "\(outcome.err)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines[1].hasPrefix("c0 hello - ") && lines[2] == "c0 secured 1.3 valid")
            #expect(
                lines.suffix(3) == [
                    "c0 alert close_notify by client", "c0 alert close_notify by server", "c0 closed by client: closed",
                ])
        }
    }

    @Test func `a client without the authority refuses, and the journal has its reason`() async throws {
        try await withRun(secured("{ status: 200 }")) { run in
            #expect(try await curl(run, run.base, trusting: false).status == 60)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 alert unknown_ca by client"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("c0 handshake failed at finished") })
            #expect(lines.last == "c0 closed by client: closed")
        }
    }

    @Test(arguments: ["1.0", "1.1", "1.2", "1.3"])
    func `one version alone is spoken`(_ version: String) async throws {
        let tls = "tls: { versions: \"\(version)\" }"
        try await withRun(secured("{ status: 200, body: ok }", tls)) { run in
            let oldest = version == "1.3" ? "1.3" : "1.0"
            let outcome = try await curl(run, "--tlsv\(oldest)", "--ciphers", "DEFAULT:@SECLEVEL=0", run.base)
            #expect(outcome.out == "ok", "\(outcome.err)")
            #expect(run.journal.lines.contains("c0 secured \(version) valid"))
        }
    }

    @Test func `one connection carries many requests`() async throws {
        try await withRun(secured("{ status: 200, body: ok }")) { run in
            #expect(try await curl(run, run.base + "/a", run.base + "/b", run.base + "/c").out == "okokok")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count { $0.contains(" head GET") } == 3 && lines.count { $0.contains("secured") } == 1)
        }
    }

    @Test func `a large generated body comes whole to a slow reader`() async throws {
        let reply = "{ status: 200, body: { repeat: \"0123456789abcdef\", times: 200000 } }"
        try await withRun(secured(reply)) { run in
            let outcome = try await curl(
                run, "--limit-rate", "8M", "-o", "/dev/null", "-w", "%{size_download}", run.base)
            #expect(outcome.out == "3200000", "\(outcome.err)")
        }
    }

    @Test func `slices and pace hold over TLS`() async throws {
        let reply = "{ status: 200, body: abcdef, slice: every-byte }"
        try await withRun(secured(reply)) { run in
            let outcome = try await curl(run, run.base)
            #expect(outcome.out == "abcdef", "\(outcome.err)")
            #expect(try await run.journal.lines(untilClosed: 1).contains { $0.contains("slices ") })
        }
    }

    @Test(arguments: [true, false])
    func `a close says close_notify unless the fixture leaves it out`(_ notifies: Bool) async throws {

        let reply = """

                  raw: "HTTP/1.1 200 OK\\r\\n\\r\\nshort"
                  effects:
                    - { at: end, do: close\(notifies ? "" : ", notify: false") }
            """

        try await withRun(secured(reply)) { run in
            let seen = try await TLSWatch.run(run)[0]
            #expect(seen.text == "short" && seen.end == "fin")
            #expect((seen.error == "-") == notifies, "\(seen.error)")
        }
    }

    @Test func `faults of TLS in the middle of a reply`() async throws {
        for (action, error) in [
            ("bad-mac", "DECRYPTION_FAILED_OR_BAD_RECORD_MAC"), ("alert 80", "TLSV1_ALERT_INTERNAL_ERROR"),
            ("truncate-record", "UNEXPECTED_EOF_WHILE_READING"),
        ] {
            for reply in [
                "{ status: 200, body: abcdef, effects: [{ at: body 3, do: \(action) }] }",
                "{ status: 200, body: [abc, { do: \(action) }, def] }",
            ] {
                try await withRun(secured(reply)) { run in
                    let seen = try await TLSWatch.run(run)[0]
                    #expect(seen.text == "abc" && seen.error == error && seen.end == "fin", "\(reply): \(seen)")
                }
            }
        }
    }

    @Test(arguments: [("on", true), ("off", false), ("refuse", false)], ["1.2", "1.3"])
    func `an earlier session goes on where the fixture lets it`(
        _ row: (word: String, isResumed: Bool), _ version: String
    ) async throws {
        let tls = "tls: { resumption: \"\(row.word)\" }"
        try await withRun(secured("{ status: 200, body: ok }", tls)) { run in
            let seen = try await TLSWatch.run(run, newest: version, times: 2)
            #expect(seen.map(\.text) == ["ok", "ok"])
            #expect(seen.map(\.isResumed) == [false, row.isResumed])
        }
    }

    @Test func `plain HTTP on a port of TLS is told the address`() async throws {
        try await withRun(secured("{ status: 200 }")) { run in
            let wire = try Wire(to: run.rawBase)
            try wire.send("GET /a?b HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
            let reply = try wire.readToEnd().text
            #expect(reply.hasPrefix("HTTP/1.1 400 ") && reply.contains("use https://localhost:1/a?b"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 violation plain-http at 0") && !lines.contains { $0.contains("head") })
        }
    }

    @Test func `bytes of neither are answered with an alert`() async throws {
        try await withRun(secured("{ status: 200 }")) { run in
            let wire = try Wire(to: run.rawBase)
            try wire.send([0x80, 0x2E, 1, 3, 1])
            #expect(try wire.readToEnd().bytes == [21, 3, 3, 0, 2, 2, 50])
            #expect(try await run.journal.lines(untilClosed: 1).contains { $0.contains("failed at client-hello") })
        }
    }

    @Test func `an origin with https in its URL may speak plain HTTP`() async throws {
        try await withRun(secured("{ status: 200, body: ok }", "tls: { speaks: plain }")) { run in
            #expect(run.base.hasPrefix("https://"))
            #expect(try await curl(run, run.base).status == 35)
            let wire = try Wire(to: run.rawBase)
            try wire.send(.request("GET /", "Connection: close"))
            #expect(try wire.readToEnd().text.hasSuffix("ok"))
        }
    }

    @Test func `a connection beyond the limit gets an alert`() async throws {
        try await withRun(secured("{ status: 200 }"), configure: { $0.limits.connectionCount = 1 }) { run in
            let first = try Wire(to: run.rawBase)
            _ = try await run.journal.lines { !$0.isEmpty }
            let second = try Wire(to: run.rawBase)
            #expect(try second.readToEnd().bytes == [21, 3, 3, 0, 2, 2, 80])
            first.close()
        }
    }

    @Test func `a run that ends says close_notify to who is idle, and leaves who has not begun`() async throws {
        try await withRun(secured("{ status: 200, body: ok }")) { run in
            async let watching = TLSWatch.run(run, field: "")
            _ = try await run.journal.lines { $0.contains { $0.hasPrefix("c0 r0 sent 200") } }
            let early = try Wire(to: run.rawBase)
            _ = try await run.journal.lines { $0.contains("c1 opened main") }
            await run.stop()
            let seen = try await watching[0]
            #expect(seen.text == "ok" && seen.error == "-" && seen.end == "fin", "\(seen)")
            #expect(try early.readToEnd().ending == .closed)
            let lines = run.journal.lines
            #expect(lines.contains("c0 alert close_notify by server"), "\(lines)")
            #expect(lines.contains("c1 closed by server: stopped") && !lines.contains { $0.contains("failed") })
        }
    }

    @Test func `a certificate with a long key is shown beside others`() async throws {
        let yaml = """
            summary: two origins, one with a key that takes its time
            origins:
              main: { scheme: https }
              slow: { scheme: https, certificate: rsa4096 }
            exchanges:
              - request: "GET /"
                reply: { status: 200, body: ok }
            """
        try await withRun(yaml) { run in
            async let slow = curl(run, "-o", "/dev/null", run.origin("slow") ?? "")
            _ = try await run.journal.lines { $0.contains { $0.contains(" hello ") } }
            #expect(try await curl(run, run.base).out == "ok")
            #expect(try await slow.status == 0)
            let secured = run.journal.lines.filter { $0.contains(" secured ") }
            #expect(Set(secured) == ["c1 secured 1.3 valid", "c0 secured 1.3 rsa4096"])
        }
    }
}

/// What a journal keeps of a ClientHello has a bound, whatever a client sends.
struct HelloNoteTests {
    /// As many as 64 KiB hold of each.
    private var huge: ClientHello {
        var hello = ClientHello()
        hello.versions = [UInt16](repeating: 0x0304, count: 127)
        hello.cipherSuites = [UInt16](repeating: 0x1301, count: 30_000)
        hello.extensions = [UInt16](repeating: 0x0A0A, count: 10_000)
        hello.groups = [UInt16](repeating: 0x001D, count: 257)
        hello.applicationProtocols = [[UInt8]](repeating: [0x68, 0x32], count: 256)
        hello.serverName = [UInt8](repeating: 0x61, count: 60_000)
        hello.byteCount = 65_000
        return hello
    }

    @Test func `of each list so many entries are kept, and the others counted`() {
        let note = ClientHelloNote(huge)
        #expect(note.versions.count == 127)
        #expect(note.cipherSuites.count == 257 && note.cipherSuites.last == "… 29744 more")
        #expect(note.extensions.count == 257 && note.extensions.last == "… 9744 more")
        #expect(note.groups.count == 257 && note.groups.last == "… 1 more")
        #expect(note.applicationProtocols.count == 256 && note.applicationProtocols.last == "h2")
    }

    @Test func `names are cut, and what can't be printed is escaped`() {
        var hello = huge
        #expect(ClientHelloNote(hello).serverName?.hasSuffix("a… (59745 more bytes)") == true)
        hello.serverName = [0x61, 0x00, 0x0A, 0xFF]
        hello.applicationProtocols = [[0x1B, 0x68]]
        let note = ClientHelloNote(hello)
        #expect(note.serverName == "a\\x00\\n\\xFF")
        #expect(note.applicationProtocols == ["\\x1Bh"])
    }

    @Test func `a hello counts in a journal by its size`() {
        let event = JournalEvent.clientHello(ClientHelloNote(huge))
        var entries = BoundedEntries(limits: Journal.Limits(entryCount: 1_000, byteCount: 256 << 10))
        for number in 1...1_000 {
            entries.append(
                JournalEntry(
                    sequence: UInt64(number), nanoseconds: 0, connection: number, request: nil, event: event))
        }
        #expect((1...20).contains(entries.inOrder.count), "\(entries.inOrder.count)")
        #expect(entries.droppedCount + entries.inOrder.count == 1_000)
    }
}
