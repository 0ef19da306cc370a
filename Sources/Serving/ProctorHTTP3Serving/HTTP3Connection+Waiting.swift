internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorServing

/// How replies and tasks get room that wait for it.
extension HTTP3Connection {
    /// How often the link is filled before others get the loop.
    private static let fillsOfATurn = 4
    /// Room for which one more task that waits for it is woken.
    private static let roomOfATask = 16 << 10

    /// Lets those go on for whom there is room again, and sends what they have.
    func giveRoom() {
        // The loop below looks again.
        guard !isGivingRoom else { return }
        isGivingRoom = true
        defer { isGivingRoom = false }
        for _ in 0..<Self.fillsOfATurn {
            continueReplies()
            wakeTasks()
            if waitingReplies.wantRoom { link.awaitRoom() }
            guard link.flush() else { return }
        }
        link.awaitRoom()
    }

    /// Wakes as many tasks as there is room for, those that have waited longest first.
    private func wakeTasks() {
        guard !roomWaiters.isEmpty else { return }
        var count = link.room / Self.roomOfATask + min(1, link.room)
        for stream in roomWaiters where count > 0 && link.room(on: stream.number) > 0 {
            count -= 1
            stream.wake()
        }
    }

    // MARK: Replies without tasks

    var hasRoomForWaiting: Bool { link.room > 0 }
    var canContinue: Bool { waitingReplies.wantRoom && session != nil && link.room > 0 }

    func lack(of stream: MultiplexedStream) -> RoomLack {
        if stream.share <= 0 { return .turn }
        return link.room == 0 || link.room(on: stream.number) > 0 ? .room : .window
    }

    /// The connection reads on as long as it stands.
    func requireHope(for lack: RoomLack, on stream: MultiplexedStream) {}

    func didStartBehindWait() {}

    func didExpectProgress() {
        if waitingReplies.wantRoom { link.awaitRoom() }
        guard overdue == nil else { return }
        let held = LoopBound<HTTP3Connection?>(nil, on: loop)
        held.value = self
        // Owned by the connection, which cancels it at its end.
        overdue = Task(executorPreference: loop) {
            guard let connection = held.value else { return }
            await connection.endOverdue()
        }
    }

    private func endOverdue() async {
        while waitingReplies.count > 0 {
            guard await loop.sleep(until: waitingReplies.deadline), session != nil else { return }
            endOverdueReplies()
        }
        overdue = nil
    }
}
