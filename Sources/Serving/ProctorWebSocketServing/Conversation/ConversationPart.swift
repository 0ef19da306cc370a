internal import ProctorLoop
internal import ProctorServing

/// A part of a WebSocket's task that is run as a task of its own, which gives its memory back when it ends.
///
/// A task keeps the frames of every call it ever made for reuse, so a WebSocket that once sent a long message would hold
/// them while it waits. The part and its end are an object, and the task is no child of a group, so that the frames of
/// the task that waits for it stay within one slab (1,024 bytes), which it keeps.
final class ConversationPart {
    private var rest: (() async throws(ConnectionEnd) -> Void)?
    private var outcome: Result<Void, ConnectionEnd> = .success(())

    init(_ rest: @escaping () async throws(ConnectionEnd) -> Void) { self.rest = rest }

    /// Call it once, on the loop; the new task stays there, and is cancelled with the one that waits for it.
    func run(on loop: EventLoop) async {
        let task = makeTask(on: loop)
        await withTaskCancellationHandler(operation: { await task.value }, onCancel: task.cancel)
    }

    @inline(never)
    private func makeTask(on loop: EventLoop) -> Task<Void, Never> {
        let held = LoopBound<ConversationPart?>(nil, on: loop)
        held.value = self
        return Task(executorPreference: loop) { await held.value?.playRest() }
    }

    private func playRest() async {
        guard let rest = rest.take() else { return }
        do throws(ConnectionEnd) { try await rest() } catch { outcome = .failure(error) }
    }

    /// Throws what the part threw.
    @inline(never)
    func requireSuccess() throws(ConnectionEnd) { try outcome.get() }
}
