import ProctorLoop
import Testing

@Suite struct LoopBoundTests {
    /// What a connection may hold: a class without `Sendable`, and a value.
    private final class Journal {
        var lines: [String] = []
        func note(_ line: String) { lines.append(line) }
    }

    private struct Counts {
        var reads = 0
        var names: [String] = []
    }

    @Test func `state is made elsewhere, then changed and read on the loop`() async throws {
        let loop = try EventLoop()
        let journal = LoopBound(Journal(), on: loop)
        let counts = LoopBound(Counts(), on: loop)
        let seen = try await loop.run {
            journal.value.note("first")
            journal.value.note("second")
            counts.value.reads += 1
            counts.value.names.append("a")
            return (journal.value.lines, counts.value.reads, counts.value.names)
        }
        #expect(seen == (["first", "second"], 1, ["a"]))
        loop.stop()
        await loop.ended()
    }

    @Test func `the state is still there for a task's last steps after the loop's end`() async throws {
        let loop = try EventLoop()
        let counts = LoopBound(Counts(), on: loop)
        _ = try await loop.run { counts.value.reads += 1 }
        loop.stop()
        await loop.ended()
        #expect(counts.value.reads == 1)
    }

    #if DEBUG
        @Test func `an access on another thread traps in a debug build`() async {
            await #expect(processExitsWith: .failure) {
                let loop = try EventLoop()
                try await loop.run {}
                LoopBound(Counts(), on: loop).value.reads += 1
            }
        }
    #endif
}
