/// How the process of a client under test ended, as its watchdog saw it.
public enum ClientEnding: Sendable, Equatable {
    /// With exit code 0, or it was no process of its own.
    case finished
    /// With another exit code, by which an adapter says that it could not do its work.
    case exited(code: Int32, lastErrorLine: String?)
    /// By a signal that nobody sent on purpose: `SIGTRAP`.
    case crashed(signal: String, lastErrorLine: String?)
    /// It was still running after that time and was ended.
    case hung(afterMilliseconds: Int, lastErrorLine: String?)
    /// It never ran; the reason is half a sentence.
    case couldNotStart(reason: String)

    /// What it wrote last on standard error, as far as that was kept.
    public var lastErrorLine: String? {
        switch self {
        case .exited(_, let line), .crashed(_, let line), .hung(_, let line): line
        case .finished, .couldNotStart: nil
        }
    }

    /// For a program: `finished`, `exited`, `crashed`, `hung` or `could-not-start`.
    public var word: String {
        switch self {
        case .finished: "finished"
        case .exited: "exited"
        case .crashed: "crashed"
        case .hung: "hung"
        case .couldNotStart: "could-not-start"
        }
    }
}
