internal import ProctorBase
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder of one run's own where its Unix sockets stand; only this user may enter it.
///
/// It goes with the run; safe from any thread.
final class SocketFolder: Sendable {
    private let path: String
    private let state = Locked(State())
    /// Told if the folder stays behind.
    private let report: @Sendable (String) -> Void

    private struct State {
        var isGone = false
        /// Where sockets of the run were to stand.
        var sockets: Set<String> = []
    }

    /// In the system's folder for temporary files, or in `/tmp` where that one's path leaves no room for a socket's.
    ///
    /// `report` gets one sentence if it can't be taken away later.
    init(report: @escaping @Sendable (String) -> Void) throws(CallFailure) {
        var parent = "/tmp"
        if let variable = unsafe getenv("TMPDIR") {
            let wanted = unsafe String(cString: variable)
            if wanted.hasPrefix("/"), wanted.utf8.count + Self.pattern.utf8.count + Self.nameByteCount < Self.pathLimit
            {
                parent = wanted.hasSuffix("/") ? String(wanted.dropLast()) : wanted
            }
        }
        let template = parent + Self.pattern
        guard
            let made = unsafe template.withCString({ text in
                unsafe strdup(text).flatMap { copy in
                    defer { unsafe free(copy) }
                    return unsafe mkdtemp(copy).map { unsafe String(cString: $0) }
                }
            })
        else { throw CallFailure.system("mkdtemp \(template)") }
        path = made
        self.report = report
    }

    deinit { remove() }

    /// Where the socket of an origin stands.
    func socket(ofOrigin index: Int) -> SocketAddress {
        let socket = "\(path)/\(index).sock"
        state.withLock { _ = $0.sockets.insert(socket) }
        return .unix(path: socket)
    }

    /// For when every socket in it is closed; what others have put there stays, and is told of.
    func remove() {
        let sockets: Set<String>? = state.withLock { state in
            defer { state.isGone = true }
            return state.isGone ? nil : state.sockets
        }
        guard let sockets else { return }
        // A socket that is closed has taken its file away, so nearly always there is none.
        for socket in sockets { unsafe _ = unlink(socket) }
        guard unsafe rmdir(path) != 0 else { return }
        let failure = CallFailure.system("rmdir \(path)")
        guard failure.code != ENOENT else { return }
        report(
            "the folder of a run's Unix sockets stays behind: \(failure); take it away when nobody needs what is in it"
        )
    }

    private static let pattern = "/proctor-XXXXXX"
    private static let nameByteCount = 10
    /// The shortest that a system has (Darwin).
    private static let pathLimit = 104
}
