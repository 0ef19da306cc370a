internal import CUV
package import ProctorBase

/// A queue of small events for which one task waits; loop thread only.
///
/// Without a waiting task up to ``limit`` events are kept; a later event is merged into the last one.
final class EventSource<Event: Sendable>: Sendable {
    private let state: LoopBound<State>

    @safe private struct State {
        var pending: [Event] = []
        var waiter: UnsafeContinuation<Event?, Never>?
        /// The number of the present wait: a late cancellation must not end the wait of another task.
        var wait = 0
        var isClosed = false
    }

    private static var limit: Int { 64 }

    init(loop: EventLoop) {
        state = LoopBound(State(), on: loop)
    }

    var loop: EventLoop { state.loop }

    /// The next event, or nil after the end.
    func next() async -> Event? {
        loop.preconditionOnLoop()
        if !state.value.pending.isEmpty { return state.value.pending.removeFirst() }
        if state.value.isClosed || Task.isCancelled { return nil }
        precondition(unsafe state.value.waiter == nil, "two tasks wait for the same events")
        state.value.wait += 1
        let wait = state.value.wait
        return await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in unsafe state.value.waiter = continuation }
        } onCancel: {
            loop.submit { if self.state.value.wait == wait { self.resume(nil) } }
        }
    }

    func deliver(_ event: Event) {
        if unsafe state.value.waiter != nil {
            resume(event)
        } else if state.value.pending.count < Self.limit {
            state.value.pending.append(event)
        } else {
            let last = state.value.pending.count - 1
            state.value.pending[last] = event
        }
    }

    func finish() {
        state.value.isClosed = true
        resume(nil)
    }

    private func resume(_ event: Event?) {
        guard let continuation = unsafe state.value.waiter.take() else { return }
        unsafe continuation.resume(returning: event)
    }
}

/// Reports changes in a folder, or of a file (inotify, FSEvents).
///
/// Linux ignores sub-folders: give each its own watcher.
@safe package final class FileWatcher: Sendable {
    private let events: EventSource<Change>
    private let handle: LoopBound<UnsafeMutablePointer<uv_fs_event_t>?>

    package struct Change: Sendable, Equatable {
        /// The name relative to the watched folder; nil if the system does not report it.
        package let name: String?
        /// Whether the entry appeared, disappeared or was renamed; otherwise its content changed.
        package let isRename: Bool
    }

    /// Loop thread only.
    package init(path: String, on loop: EventLoop) throws(CallFailure) {
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

    /// nil after ``close()`` or when the task is cancelled.
    package func next() async -> Change? {
        await events.next()
    }

    /// Loop thread only.
    package func close() {
        events.loop.preconditionOnLoop()
        guard let handle = unsafe handle.value.take() else { return }
        unsafe closeHandle(handle)
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

/// Delivers Unix signals as events on a loop, in place of their default action.
@safe package final class SignalSource: Sendable {
    private let events: EventSource<Int32>
    private let handles: LoopBound<[UnsafeMutablePointer<uv_signal_t>]>

    /// Loop thread only.
    package init(_ signals: [Int32], on loop: EventLoop) throws(CallFailure) {
        loop.preconditionOnLoop()
        events = EventSource(loop: loop)
        unsafe handles = unsafe LoopBound([], on: loop)
        do throws(CallFailure) {
            for signal in signals { try watchSignal(signal) }
        } catch {
            close()
            throw error
        }
    }

    private func watchSignal(_ signal: Int32) throws(CallFailure) {
        let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
        let code = unsafe uv_signal_init(events.loop.uv, handle)
        guard code == 0 else {
            unsafe handle.deallocate()
            return try check(code, "uv_signal_init")
        }
        unsafe handle.pointee.data = Unmanaged.passRetained(events).toOpaque()
        unsafe handles.value.append(handle)
        try check(unsafe uv_signal_start(handle, signalArrived, signal), "catch signal \(signal)")
    }

    /// The number of the next signal; nil after ``close()`` or when the task is cancelled.
    package func next() async -> Int32? {
        await events.next()
    }

    /// Restores the signals' default action; loop thread only.
    package func close() {
        events.loop.preconditionOnLoop()
        while let handle = unsafe handles.value.popLast() {
            unsafe closeHandle(handle)
        }
        events.finish()
    }
}

private func signalArrived(_ handle: UnsafeMutablePointer<uv_signal_t>?, signal: Int32) {
    guard let data = unsafe handle?.pointee.data else { return }
    unsafe Unmanaged<EventSource<Int32>>.fromOpaque(data).takeUnretainedValue().deliver(signal)
}
