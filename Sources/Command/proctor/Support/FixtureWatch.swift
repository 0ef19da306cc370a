internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Watches the folders of fixtures, and their sub-folders, for changes.
struct FixtureWatch: Sendable {
    let paths: [String]
    let loop: EventLoop

    /// The time without changes before a reload, since editors write a file in several steps.
    private static let settling = Duration.milliseconds(60)

    /// The interval of checks when all folders are gone.
    private static let absence = Duration.milliseconds(250)

    /// Calls `reload` after changes until the task is cancelled; calls `onStanding` once, from when on no change is
    /// missed.
    ///
    /// New watchers are made before `reload` reads, so that no change between two reads is missed.
    func run(
        onStanding: @escaping @Sendable () -> Void, _ reload: @escaping @Sendable () async -> Void
    ) async throws {
        try await loop.run {
            var isFirst = true
            while !Task.isCancelled {
                let watchers = try watchers()
                defer { isFirst = false }
                guard !watchers.isEmpty else {
                    await loop.sleep(for: Self.absence)
                    continue
                }
                if isFirst { onStanding() } else { await reload() }
                await anyChange(of: watchers)
                for watcher in watchers { watcher.close() }
                await loop.sleep(for: Self.settling)
            }
        }
    }

    /// One watcher for each folder; folders that no longer exist are left out.
    private func watchers() throws(CallFailure) -> [FileWatcher] {
        var watchers: [FileWatcher] = []
        for folder in folders() {
            do throws(CallFailure) {
                watchers.append(try FileWatcher(path: folder, on: loop))
            } catch  where error.code == -ENOENT {
                continue
            } catch {
                for watcher in watchers { watcher.close() }
                throw error
            }
        }
        return watchers
    }

    private func anyChange(of watchers: [FileWatcher]) async {
        await withTaskGroup(of: Void.self) { group in
            for watcher in watchers { group.addTask { _ = await watcher.next() } }
            await group.next()
            group.cancelAll()
        }
    }

    private func folders() -> [String] {
        var folders: [String] = []
        for path in paths { Self.collect(path, depth: 0, into: &folders) }
        return folders
    }

    private static func collect(_ path: String, depth: Int, into folders: inout [String]) {
        guard depth < 32 else { return }
        guard let names = try? FolderList.names(in: path) else {
            // A scenario file that was named is watched by its own path.
            if depth == 0 { folders.append(path) }
            return
        }
        folders.append(path)
        // Symbolic links are not followed, since they may form a loop.
        for name in names
        where !name.hasPrefix(".") && FileKind(of: "\(path)/\(name)", followsLinks: false) == .folder {
            collect("\(path)/\(name)", depth: depth + 1, into: &folders)
        }
    }
}
