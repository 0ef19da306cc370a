internal import CUV
public import ProctorBase

/// Tells when something in a folder, or a file, changes (inotify, FSEvents).
///
/// Linux does not look into sub-folders: give each its own watcher.
@safe public final class FileWatcher: Sendable {
    private let events: EventSource<Change>
    private let handle: LoopBound<UnsafeMutablePointer<uv_fs_event_t>?>

    /// What changed, as far as the system says.
    public struct Change: Sendable, Equatable {
        /// Relative to the watched folder; nil when the system does not name it.
        public let name: String?
        /// The entry appeared, disappeared or got another name; otherwise its content changed.
        public let isRename: Bool
    }

    /// Begins to watch; loop thread only.
    public init(path: String, on loop: EventLoop) throws(CallFailure) {
        loop.preconditionOnLoop()
        events = EventSource(loop: loop)
        let handle = UnsafeMutablePointer<uv_fs_event_t>.allocate(capacity: 1)
        unsafe uv_fs_event_init(loop.uv, handle)
        unsafe handle.pointee.data = Unmanaged.passRetained(events).toOpaque()
        let code = unsafe uv_fs_event_start(handle, fileChanged, path, 0)
        unsafe self.handle = unsafe LoopBound(handle, on: loop)
        guard code < 0 else { return }
        close()
        try check(code, "watch \(path)")
    }

    /// The next change; nil after ``close()`` or when the task is cancelled.
    public func next() async -> Change? {
        await events.next()
    }

    /// Ends watching; loop thread only.
    public func close() {
        events.loop.preconditionOnLoop()
        guard let handle = unsafe handle.value.take() else { return }
        unsafe uv_close(
            UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), releaseClosedHandle)
        events.finish()
    }
}

private func fileChanged(
    _ handle: UnsafeMutablePointer<uv_fs_event_t>?, name: UnsafePointer<CChar>?, events: Int32, status: Int32
) {
    guard let data = unsafe handle?.pointee.data else { return }
    let source = unsafe Unmanaged<EventSource<FileWatcher.Change>>.fromOpaque(data).takeUnretainedValue()
    let isRename = UInt32(bitPattern: events) & UV_RENAME.rawValue != 0
    source.deliver(
        FileWatcher.Change(name: unsafe name.map { unsafe String(cString: $0) }, isRename: isRename))
}
