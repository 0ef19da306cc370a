/// The error of an exam: why it could not run, or its failed verdict.
public struct ExamFailure: Error, Sendable, CustomStringConvertible {
    /// The problem and what to do; several lines for a verdict.
    public let description: String

    package init(_ description: String) { self.description = description }
}
