/// How a trace came to its end, which decides what may be called missing.
public enum TraceEnding: Sendable {
    /// The client ended by itself; what had to come should be there.
    case finished
    /// A watchdog ended it, because nothing came any more.
    case hung
    /// The client crashed: nothing is missing, as nobody knows what would have come.
    case cut
}
