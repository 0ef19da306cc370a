internal import ProctorBase
package import ProctorJournal
package import ProctorLoop

extension Journal {
    /// Waits for an entry after a sequence number, the journal's end, or the end of `duration`; on the loop's thread.
    ///
    /// With a peer the wait also ends when that leaves.
    package func waitForEntry(
        after sequence: UInt64, on loop: EventLoop, within duration: Duration,
        whileStays peer: LoopBound<WaitingPeer>? = nil
    ) async {
        let (waking, waiter) = AsyncStream<Void>.makeStream()
        guard let number = addWaiter(waiter, after: sequence) else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                if let peer = peer?.value.peer {
                    // Ended before it has begun where an entry came first.
                    if !Task.isCancelled { try? await peer.waitWhilePeerStays(within: duration.wholeNanoseconds) }
                } else {
                    await loop.sleep(for: duration)
                }
                waiter.finish()
            }
            for await _ in waking {}
            group.cancelAll()
            peer?.value.peer?.endWaits()
        }
        removeWaiter(number)
    }
}
