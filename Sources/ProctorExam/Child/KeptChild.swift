import ProctorBase

/// A child that is given inputs of one line each, and ends its output for each with an empty line.
///
/// One caller at a time. A child that crashes, hangs or ends is replaced at the next input.
final class KeptChild: Sendable {
    /// The running child, which has answered an input; nil: none.
    private let living = Locked<RunningChild?>(nil)

    deinit { living.withLock { _ = $0?.end() } }

    /// Writes a line to the child, and waits for its output on another thread.
    ///
    /// `settings` has the command, the bounds, and the time for this input. `isLast` ends the input behind the line, so
    /// that a child answers too which reads to the end; it is not kept.
    func ask(
        _ settings: WatchedChild, _ line: [UInt8], isLast: Bool, onOutput: WatchedChild.OutputReader?
    ) async -> WatchedChild.Outcome {
        await WatchedChild.onThread { [self] in
            let exchange = ChildExchange(
                settings: settings, endsWithEmptyLine: true, pending: line + [0x0A], endsInput: isLast,
                onOutput: onOutput)
            if let former = living.withLock({ $0.take() }), let outcome = hold(exchange, with: former, .used) {
                return outcome
            }
            do throws(CallFailure) {
                let new = try RunningChild(settings)
                return hold(exchange, with: new, isLast ? .toEnd : .new) ?? exchange.outcome(.exited(0))
            } catch {
                return exchange.outcome(.notStarted(error))
            }
        }
    }

    private enum Use { case new, used, toEnd }

    /// Nil for a used child that ends before it writes, and for one that wrote without an input: a new child gets the input.
    private func hold(_ exchange: ChildExchange, with child: RunningChild, _ use: Use) -> WatchedChild.Outcome? {
        var (exchange, child) = (exchange, child)
        // What a child wrote behind its last answer belongs to no input.
        if use == .used, child.hasUnreadOutput {
            child.end()
            return nil
        }
        switch exchange.run(with: &child) {
        case nil:
            if use == .toEnd { child.end() } else { living.withLock { [child] in $0 = child } }
            return exchange.outcome(.exited(0))
        case .exited where use == .used && !exchange.hasOutput,
            .signalled where use == .used && !exchange.hasOutput:
            return nil
        case let ending?: return exchange.outcome(ending)
        }
    }
}

/// The children of an adapter that takes many assignments, one for each concurrent sitting; they end with this object.
final class KeptChildren: Sendable {
    private let idle = Locked<[KeptChild]>([])
    private let knowledge = Locked(Knowledge.unknown)

    /// Whether the adapter takes many assignments.
    private enum Knowledge { case unknown, takesMany, takesOne }

    /// Whether the adapter is found to take one assignment, so that each case needs a process of its own.
    var areUseless: Bool { knowledge.withLock { $0 == .takesOne } }

    /// Whether an answer is still needed to know; until then each child's input ends behind its assignment, so that an
    /// adapter which reads to the end answers at once.
    var areUntried: Bool { knowledge.withLock { $0 == .unknown } }

    /// Learns from an adapter's output for one assignment: one that takes many ends it with an empty line.
    func learn(from outcome: WatchedChild.Outcome) {
        knowledge.withLock { knowledge in
            guard knowledge == .unknown else { return }
            if outcome.hasEmptyLine {
                knowledge = .takesMany
            } else if outcome.ending == .exited(0), outcome.hasOutput {
                knowledge = .takesOne
            }
        }
    }

    /// A child for one caller, until it is given back.
    func take() -> KeptChild { idle.withLock { $0.popLast() } ?? KeptChild() }

    func giveBack(_ child: KeptChild) { idle.withLock { $0.append(child) } }
}
