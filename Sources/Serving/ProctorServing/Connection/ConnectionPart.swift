internal import ProctorLoop

/// A part of a connection's task that is run as a task of its own, which gives its memory back when it ends.
///
/// A task keeps the frames of every call it ever made for reuse, so a connection that once played a long reply would hold
/// them while it is idle. The part and its end are an object, and the task is no child of a group, so that the frames of
/// the task that waits for it stay within one slab (1,024 bytes), which it keeps.
final class ConnectionPart {
    private var rest: WaitingAnswer<Connection>?
    private var outcome: Result<Void, ConnectionEnd> = .success(())

    init(_ rest: WaitingAnswer<Connection>) { self.rest = rest }

    /// Call it once, on the loop; the new task stays there, and is cancelled with the one that waits for it.
    func run(on loop: EventLoop) async {
        let task = makeTask(on: loop)
        await withTaskCancellationHandler(operation: { await task.value }, onCancel: task.cancel)
    }

    @inline(never)
    private func makeTask(on loop: EventLoop) -> Task<Void, Never> {
        let held = LoopBound<ConnectionPart?>(nil, on: loop)
        held.value = self
        return Task(executorPreference: loop) { await held.value?.playRest() }
    }

    private func playRest() async {
        guard let rest = rest.take() else { return }
        do throws(ConnectionEnd) { try await rest.finish() } catch { outcome = .failure(error) }
    }

    /// Throws what the part threw.
    @inline(never)
    func requireSuccess() throws(ConnectionEnd) { try outcome.get() }
}
