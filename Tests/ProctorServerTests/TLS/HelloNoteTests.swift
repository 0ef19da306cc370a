import ProctorTLS
import ProctorTrace
import Testing

@testable import ProctorServer

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
