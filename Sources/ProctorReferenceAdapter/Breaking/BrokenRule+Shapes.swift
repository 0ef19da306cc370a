internal import ProctorReference

/// R54 to R56: tasks with handlers, delegates of tasks, and early events; of WebSockets and streams there is nothing here.
extension BrokenRule {
    static let shapes: [BrokenRule] = [
        .calls(54, "tell the delegate of a task with a handler of its data") { call in
            guard case .handler(let outcome) = call else { return .made(call) }
            return .made(.data(outcome.bytes), call)
        },
        .calls(55, "tell both delegates of a redirect") { call in
            guard case .redirect = call else { return .made(call) }
            return [PlacedCall(call), PlacedCall(call, isForSession: true)]
        },
        .calls(56, "tell of the task when it is about to end") { call in
            if case .metrics = call { .made(.created, call) } else { .made(call) }
        },
    ]
}
