internal import ProctorBase
internal import ProctorLoop

extension Connection {
    /// Reads the content so many bytes at a time; what has not had its moment stays with the system and shuts the
    /// peer's window.
    func receivePortions(of byteCount: Int, every interval: Duration) async throws(ConnectionEnd) {
        let step = interval.wholeNanoseconds
        var moment = MonotonicClock.nanoseconds
        var goal = 0
        while !isReached(.end) {
            goal = goal.addingReportingOverflow(byteCount).overflow ? .max : goal + byteCount
            try await receive(.portion(goal))
            guard !isReached(.end) else { return }
            // A peer that was late is not read faster for it.
            moment = max(moment &+ step, MonotonicClock.nanoseconds)
            guard await socket.loop.sleep(until: moment) else { throw .stopped }
        }
    }

    /// How many bytes may be taken from the system at once.
    ///
    /// While it is not known who answers, no more than the smallest portion of those who may.
    func room(before goal: Goal) -> Int {
        switch goal {
        case .portion(let count): return max(1, count - request.contentByteCount)
        case .head:
            switch endpoint {
            case .origin(let stage, let origin):
                // A proxy may hand the request on to any of them.
                guard let naming = stage.naming, naming.isProxy(origin) else {
                    return stage.compiled.portionByteCount(ofOrigin: origin)
                }
                return naming.portionByteCount
            case .door(_, let naming): return naming.portionByteCount
            case .shared: return .max
            }
        case .content, .end, .endInPortions: return .max
        }
    }
}
