/// Why a call of the control API brought nothing.
public enum ControlFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// There was no answer.
    case unreachable(String)
    /// The server said no; `code` is for programs and stays, `message` is for people.
    case refused(status: Int, code: String, message: String)
    /// The answer is not what the call gives.
    case unreadable(String)

    /// One sentence, as a test would show it.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server did not answer: \(reason)"
        case .refused(let status, let code, let message): "the server refused (\(status) \(code)): \(message)"
        case .unreadable(let reason): reason
        }
    }
}
