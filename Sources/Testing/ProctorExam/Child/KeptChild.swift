import ProctorBase

/// A child process that gets one line of input at a time and writes an empty line after its output for each.
///
/// One caller at a time. A child that crashes, hangs or ends is replaced at the next input.
final class KeptChild: Sendable {
    /// The running child, which has answered at least one input; nil: none.
    private let living = Locked<RunningChild?>(nil)

    deinit { living.withLock { _ = $0?.terminate() } }

    /// Writes a line to the child, and waits for its output on another thread.
    ///
    /// `settings` has the command, the limits, and the time for this input. `isLast` closes the input after the line,
    /// so that a child which reads to the end of its input answers too; that child is not kept.
    func ask(
        _ settings: WatchedChild, _ line: [UInt8], isLast: Bool, onOutput: WatchedChild.OutputReader?
    ) async -> WatchedChild.Outcome {
        await WatchedChild.onThread { [self] in
            let exchange = ChildExchange(
                settings: settings, endsWithEmptyLine: true, pending: line + [0x0A], endsInput: isLast,
                onOutput: onOutput)
            if let former = living.withLock({ $0.take() }), let outcome = run(exchange, with: former, .used) {
                return outcome
            }
            do throws(CallFailure) {
                let new = try RunningChild(settings)
                return run(exchange, with: new, isLast ? .toEnd : .new) ?? exchange.outcome(.exited(0))
            } catch {
                return exchange.outcome(.notStarted(error))
            }
        }
    }

    private enum Use { case new, used, toEnd }

    /// Nil when a used child ended without output, or wrote bytes without an input; the caller gives the input to a new
    /// child.
    private func run(_ exchange: ChildExchange, with child: RunningChild, _ use: Use) -> WatchedChild.Outcome? {
        var (exchange, child) = (exchange, child)
        // Bytes that a child wrote after its last answer are the output of no input.
        if use == .used, child.hasUnreadOutput {
            child.terminate()
            return nil
        }
        switch exchange.run(with: &child) {
        case nil where use == .toEnd:
            child.terminate()
            return exchange.outcome(.exited(0))
        case nil:
            var outcome = exchange.outcome(.exited(0))
            outcome.process = child.group
            living.withLock { [child] in $0 = child }
            return outcome
        case .exited where use == .used && !exchange.hasOutput,
            .signalled where use == .used && !exchange.hasOutput:
            return nil
        case let ending?: return exchange.outcome(ending)
        }
    }
}

/// The kept children of an adapter, one for each concurrent sitting; deinit ends them.
final class KeptChildren: Sendable {
    private let idle = Locked<[KeptChild]>([])
    private let knowledge = Locked(Knowledge.unknown)

    /// Whether the adapter takes many assignments.
    private enum Knowledge { case unknown, takesMany, takesOne }

    /// Whether the adapter was found to take one assignment only, so that each case needs a process of its own.
    var areUseless: Bool { knowledge.withLock { $0 == .takesOne } }

    /// Whether no answer has shown yet that the adapter takes many assignments.
    ///
    /// Until then, each child's input is closed after its assignment, so that an adapter which reads to the end of its
    /// input answers at once.
    var areUntried: Bool { knowledge.withLock { $0 == .unknown } }

    /// Reads from an adapter's output for one assignment whether it takes many: then the output ends with an empty
    /// line.
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

    /// Removes a child for one caller, who gives it back.
    func removeIdle() -> KeptChild { idle.withLock { $0.popLast() } ?? KeptChild() }

    func giveBack(_ child: KeptChild) { idle.withLock { $0.append(child) } }
}
