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
    /// `settings` has the command, the bounds, and the time for this input.
    func ask(
        _ settings: WatchedChild, _ line: [UInt8], onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async -> WatchedChild.Outcome {
        await WatchedChild.onThread { [self] in
            let exchange = ChildExchange(
                settings: settings, endsWithEmptyLine: true, pending: line + [0x0A], onOutput: onOutput)
            if let former = living.withLock({ $0.take() }), let outcome = hold(exchange, with: former, isUsed: true) {
                return outcome
            }
            do throws(CallFailure) {
                let new = try RunningChild(settings)
                return hold(exchange, with: new, isUsed: false) ?? exchange.outcome(.exited(0))
            } catch {
                return exchange.outcome(.notStarted(error))
            }
        }
    }

    /// Nil for a used child that ends before it writes: the input was not begun, and a new child gets it.
    private func hold(_ exchange: ChildExchange, with child: RunningChild, isUsed: Bool) -> WatchedChild.Outcome? {
        var (exchange, child) = (exchange, child)
        switch exchange.run(with: &child) {
        case nil:
            living.withLock { $0 = child }
            return exchange.outcome(.exited(0))
        case .exited where isUsed && exchange.output.isEmpty, .signalled where isUsed && exchange.output.isEmpty:
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

    /// Whether the adapter is found to wait for the end of its input, so that each case needs a process of its own.
    var areUseless: Bool { knowledge.withLock { $0 == .takesOne } }

    /// Learns from an adapter's output for one assignment; whether it must be asked again in a process of its own.
    ///
    /// An adapter that hangs before its first byte, and has never answered, reads to the end of its input.
    func learn(from outcome: WatchedChild.Outcome) -> Bool {
        knowledge.withLock { knowledge in
            if !outcome.output.isEmpty {
                if knowledge == .unknown { knowledge = .takesMany }
                return false
            }
            guard case .hung = outcome.ending, knowledge != .takesMany else { return false }
            knowledge = .takesOne
            return true
        }
    }

    /// A child for one caller, until it is given back.
    func take() -> KeptChild { idle.withLock { $0.popLast() } ?? KeptChild() }

    func giveBack(_ child: KeptChild) { idle.withLock { $0.append(child) } }
}
