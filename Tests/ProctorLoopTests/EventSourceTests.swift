import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct EventSourceTests {
    @Test func `events without a waiting task are kept in order`() async throws {
        let got = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            for number in 0..<10 { source.deliver(number) }
            source.finish()
            var got: [Int] = []
            while let event = await source.next() { got.append(event) }
            return got
        }
        #expect(got == Array(0..<10))
    }

    @Test func `what is too much to keep is merged into the last`() async throws {
        let got = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            for number in 0..<1000 { source.deliver(number) }
            source.finish()
            var got: [Int] = []
            while let event = await source.next() { got.append(event) }
            return got
        }
        #expect(got == Array(0..<63) + [999])
    }

    @Test func `a late cancellation of one task does not end the wait of the next`() async throws {
        let (first, second) = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            let one = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            // The event wakes the first task, whose cancellation reaches the loop only after the second waits.
            source.deliver(1)
            one.cancel()
            let two = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            let first = await one.value
            // By now the late command has run.
            await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
            source.deliver(2)
            return (first, await two.value)
        }
        #expect(first == 1)
        #expect(second == 2)
    }

    @Test func `a cancelled task gets nil, and the events stay for others`() async throws {
        let (cancelled, later) = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            let one = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            one.cancel()
            let cancelled = await one.value
            source.deliver(3)
            return (cancelled, await source.next())
        }
        #expect(cancelled == nil)
        #expect(later == 3)
    }
}

@Suite(.limit(minutes: 5))
struct FileWatcherTests {
    @Test func `making, changing, renaming and removing a file are told by name`() async throws {
        let folder = temporaryPath("watched")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await onLoop { loop in
            let watcher = try FileWatcher(path: folder, on: loop)
            defer { watcher.close() }
            try write([1], to: folder + "/a.yaml")
            try #require(await change(of: "a.yaml", isRename: true, in: watcher))
            try write([1, 2], to: folder + "/a.yaml")
            try #require(await change(of: "a.yaml", isRename: false, in: watcher))
            try FileManager.default.moveItem(atPath: folder + "/a.yaml", toPath: folder + "/b.yaml")
            try #require(await change(of: "b.yaml", isRename: true, in: watcher))
            try FileManager.default.removeItem(atPath: folder + "/b.yaml")
            try #require(await change(of: "b.yaml", isRename: true, in: watcher))
        }
    }

    @Test func `closing ends the wait`() async throws {
        let isEnd = try await onLoop { loop in
            let watcher = try FileWatcher(path: "/tmp", on: loop)
            async let next = nextOfOwnName(watcher)
            async let closing: Void = watcher.close()
            let isEnd = await next == nil
            await closing
            watcher.close()
            return isEnd
        }
        #expect(isEnd)
    }

    @Test func `a path that is not there is an error that names it`() async throws {
        let path = temporaryPath("missing")
        let call = try await onLoop { loop -> String? in
            do throws(CallFailure) {
                _ = try FileWatcher(path: path, on: loop)
                return nil
            } catch {
                return error.call
            }
        }
        #expect(call == "watch \(path)")
    }

    /// Other events may come before it, as the system splits one step into several.
    private func change(of name: String, isRename: Bool, in watcher: FileWatcher) async -> Bool {
        while let change = await watcher.next() {
            if change == FileWatcher.Change(name: name, isRename: isRename) { return true }
        }
        return false
    }

    /// Others write to /tmp as well.
    private func nextOfOwnName(_ watcher: FileWatcher) async -> FileWatcher.Change? {
        while let change = await watcher.next() {
            if change.name == "nobody writes this" { return change }
        }
        return nil
    }
}

@Suite(.limit(minutes: 5))
struct SignalTests {
    @Test func `signals arrive as events, each with its number`() async throws {
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                let got = try await onLoop { loop in
                    let source = try SignalSource([SIGUSR1, SIGUSR2], on: loop)
                    defer { source.close() }
                    var got: [Int32?] = []
                    for number in [SIGUSR1, SIGUSR2, SIGUSR1] {
                        kill(getpid(), number)
                        got.append(await source.next())
                    }
                    return got
                }
                #expect(got == [SIGUSR1, SIGUSR2, SIGUSR1], "\(got)")
            }
        }
    }

    @Test func `closing ends the wait`() async throws {
        let isEnd = try await onLoop { loop in
            let source = try SignalSource([SIGUSR1], on: loop)
            async let next = source.next()
            async let closing: Void = source.close()
            let isEnd = await next == nil
            await closing
            return isEnd
        }
        #expect(isEnd)
    }

    @Test func `after closing, the signal has its default action again`() async throws {
        await #expect(processExitsWith: .signal(SIGUSR2)) {
            try await onLoop { loop in
                try SignalSource([SIGUSR2], on: loop).close()
            }
            kill(getpid(), SIGUSR2)
            // The signal may be taken by another thread a moment later.
            while true { pause() }
        }
    }

    @Test func `a signal that cannot be caught is an error and leaves nothing behind`() async throws {
        // onLoop waits for the loop's end, so the handle of SIGUSR1 must be closed too.
        let code = try await onLoop { loop -> Int32? in
            do throws(CallFailure) {
                _ = try SignalSource([SIGUSR1, SIGKILL], on: loop)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == -EINVAL)
    }
}
