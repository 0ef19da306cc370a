/// What a step does to the task, connection or download of a shape; ``StepRecord`` writes it down first.
package protocol StepTask: Sendable {
    /// Begins, or goes on after ``suspend()``.
    func resume()

    /// Reads nothing more and lets no time run out.
    func suspend()

    /// Asks for the end.
    func cancel()

    /// Asks for the end and for what another download can go on with: its size in bytes, nil when there is nothing.
    func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void)
}

extension StepTask {
    /// For shapes that have no resume data.
    package func cancel(producingResumeData handler: @escaping @Sendable (_ byteCount: Int?) -> Void) {
        cancel()
        handler(nil)
    }
}
