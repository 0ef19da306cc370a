internal import ProctorLoop

/// What is left of an answer when the next step of it may wait; called once.
typealias RestOfAnswer = () async throws(ConnectionEnd) -> Void

extension EventLoop {
    /// Runs a part of a connection's task as a child task, which gives its memory back when it ends.
    ///
    /// A task keeps the frames of every call it ever made for reuse, so a connection that once played a long reply
    /// would hold them while it is idle. Call it on the loop; the child stays there, and is cancelled with its parent.
    func runApart(_ part: @escaping RestOfAnswer) async throws(ConnectionEnd) {
        let held = LoopBound(HeldPart(), on: self)
        held.value.part = part
        let end = await withTaskGroup(of: ConnectionEnd?.self) { group in
            group.addTask {
                do throws(ConnectionEnd) {
                    try await held.value.part?()
                    return nil
                } catch {
                    return error
                }
            }
            return await group.next() ?? nil
        }
        if let end { throw end }
    }
}

private final class HeldPart {
    var part: RestOfAnswer?
}
