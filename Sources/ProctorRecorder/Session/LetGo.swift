internal import ProctorBase

/// Notices whether a handler that was lent for a call is kept by anybody when the call is over.
struct LetGo: ~Copyable {
    private let isUsed = Locked(false)
    private weak var hold: Hold?

    /// What the lent handler keeps alive.
    final class Hold: Sendable {
        let isUsed: Locked<Bool>

        init(_ isUsed: Locked<Bool>) { self.isUsed = isUsed }
    }

    /// Runs `body` with the one reference there is besides its own.
    mutating func lend(_ body: (Hold) -> Void) {
        let hold = Hold(isUsed)
        self.hold = hold
        body(hold)
    }

    /// Whether nobody called the handler and nobody can any more.
    var isOver: Bool { hold == nil && !isUsed.withLock { $0 } }
}
