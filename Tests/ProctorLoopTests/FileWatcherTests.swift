import Foundation
import ProctorBase
import Testing

@testable import ProctorLoop

@Suite(.timeLimit(.minutes(5)))
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
