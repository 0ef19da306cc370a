/// A moment in the life of a task at which a client program acts.
public enum Moment: Sendable, Equatable {
    /// The task was made and not yet resumed.
    case beforeResume
    /// Right after `resume` returned.
    case afterResume
    /// Inside the callback of an event, the `count`-th of its name, from 1.
    case event(String, count: Int)
}
