/// Whoever is told of a load: one of the shapes.
protocol LoadClient: AnyObject, Sendable {
    /// On the loop's thread, in order; may answer at once or later by ``Load/answer(_:)``.
    func load(_ load: Load, tells notice: ClientNotice)
}
