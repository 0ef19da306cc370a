/// What the process tells its caller.
enum ExitCode: Int32, Sendable {
    /// Done, or passed.
    case success = 0
    /// The command ran and the answer is no: bad fixtures, a busy port, a failed case.
    case failure = 1
    /// The command line can't be understood.
    case usage = 2
}
