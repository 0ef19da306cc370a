/// Why an exam could not be held, or what its verdict is, for a framework that shows thrown errors.
public struct ExamFailure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do; several lines for a verdict.
    public let description: String

    /// A sentence for a person.
    init(_ description: String) { self.description = description }
}
