import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorServer
@testable import ProctorServing

/// Connections over TLS while others are under way.
@Suite(.limit(minutes: 5))
struct SecuredConnectionTests {
    private func curl(_ run: Run, _ words: String...) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-sS", "--max-time", "60", "--cacert", run.trust ?? ""] + words)
    }

    @Test func `a run that ends says close_notify to who is idle, and leaves who has not begun`() async throws {
        try await withRun(always("{ status: 200, body: ok }", more: "origins: { main: { scheme: https } }")) { run in
            let place = run.base.dropFirst("https://".count).replacing(":", with: " ")
            async let watching = ChildProcess.run(
                Tools.script("tls_watch.py", [run.trust ?? ""]), input: Array("\(place) stays".utf8))
            _ = try await run.journal.lines { $0.contains { $0.hasPrefix("c0 r0 sent 200") } }
            let early = try Wire(to: "http://" + run.base.dropFirst("https://".count))
            _ = try await run.journal.lines { $0.contains("c1 opened main") }
            await run.stop()
            let seen = try await watching.out
            #expect(seen.hasPrefix("TLSv1.3 fin records ") && seen.hasSuffix(": ok\n"), "\(seen)")
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
