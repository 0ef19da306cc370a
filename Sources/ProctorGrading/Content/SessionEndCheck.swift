import ProctorTrace

/// The error of `sessionInvalid`: none where the session was ended on purpose (URLSessionDelegate reference, R43).
enum SessionEndCheck: ContentCheck {
    static func faults(in scene: ContentScene) -> [ContentFault] {
        var ends: [Int: [String]] = [:]
        var faults: [ContentFault] = []
        for event in scene.events where event.phase == .enter {
            if event.name == .invalidate { ends[event.task, default: []].append(event.argument ?? "") }
            guard event.name == .sessionInvalid, let error = event.argument, error != URLErrorName.success,
                let end = ends[event.task], !end.isEmpty
            else { continue }
            let isFinished = end.allSatisfy { $0 == "finish" }
            faults.append(
                ContentFault(
                    event: event, field: "error", wanted: "none", got: EventText.printable(error),
                    reason: isFinished
                        ? "finishTasksAndInvalidate lets every task end" : "the session was invalidated on purpose",
                    rule: 43, weight: isFinished ? .failure : .observation))
        }
        return faults
    }
}
