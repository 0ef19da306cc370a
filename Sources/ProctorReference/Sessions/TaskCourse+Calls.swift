internal import ProctorLoop

extension TaskCourse {
    /// Makes a call, or what a filter makes of it; `byteCount` bytes are read on for when it has been made.
    func place(_ call: SessionCall, consuming byteCount: Int = 0) {
        guard let task else { return }
        guard var filter else {
            return make(PlacedCall(call), of: task, consuming: byteCount)
        }
        let placed = filter.filter(call)
        self.filter = filter
        for (index, call) in placed.enumerated() {
            make(call, of: task, consuming: index == placed.count - 1 ? byteCount : 0)
        }
        if placed.isEmpty { load?.didConsume(byteCount) }
        if call.question != nil, !placed.contains(where: { $0.call.question != nil }) {
            CallDelivery(call, of: task, load: load).answerByDefault()
        }
    }

    /// What a connection asks is for the session's method before the task's (R18).
    func ask(_ challenge: LoadChallenge) {
        let isForSession = challenge.space.isOfConnection && session.delegate != nil
        place(isForSession ? .sessionChallenge(challenge) : .challenge(challenge))
    }

    /// On the thread that makes the task, before anybody else has it (R46).
    func tellCreated() {
        guard let task else { return }
        var placed = [PlacedCall(SessionCall.created)]
        if var filter {
            placed = filter.filter(.created)
            self.filter = filter
        }
        for call in placed {
            let delivery = CallDelivery(call.call, of: task, load: load)
            if call.isElsewhere { session.elsewhere?.submit { delivery.make() } } else { delivery.make() }
        }
    }

    private func make(_ placed: PlacedCall<SessionCall>, of task: ReferenceTask, consuming byteCount: Int) {
        let delivery = CallDelivery(placed, of: task, load: load, consuming: byteCount)
        // Without anybody to ask there is no need to change the thread.
        guard delivery.needsQueue else { return delivery.make() }
        let queue = placed.isElsewhere ? session.elsewhere ?? session.queue : session.queue
        if !queue.submit({ delivery.make() }) { delivery.skip() }
    }
}
