package import ProctorBase

/// What bounds one job of ``WorkThreads``: there is no job without.
package struct WorkBounds: Sendable {
    private let stepLimit: Int
    private let time: Duration?
    private let flag: CancelFlag?

    package init(stepLimit: Int = .max, time: Duration, endedBy flag: CancelFlag? = nil) {
        self.init(stepLimit, time, flag)
    }

    private init(_ stepLimit: Int, _ time: Duration?, _ flag: CancelFlag?) {
        (self.stepLimit, self.time, self.flag) = (stepLimit, time, flag)
    }

    /// For a job that takes milliseconds, since its input is bounded where it comes in, and that counts no steps.
    package static let ofInput = WorkBounds(.max, nil, nil)

    /// For a job that counts its steps by a budget of its own.
    package static let ofOwnBudget = ofInput

    func budget() -> WorkBudget { WorkBudget(stepLimit: stepLimit, time: time, flag: flag) }
}
