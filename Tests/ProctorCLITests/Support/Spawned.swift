import Foundation

/// A child process whose output goes to files; killed with its owner at the latest.
///
/// For one thread at a time. Foundation's Process is not used: with many descriptors open, as in a test of a server, it was seen to crash.
final class Spawned: @unchecked Sendable {
    let id: pid_t
    private var endStatus: Int32?
    private let streams: Folder

    /// Starts a program with nothing to read and the default signals.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: Folder? = nil) throws
    {
        streams = try Folder()
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        // The shell takes the number with it into the program.
        let change = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0.path] } ?? []
        id = try Self.spawn(
            change + [program] + arguments, variables, out: "\(streams.path)/out", err: "\(streams.path)/err")
    }

    deinit {
        guard isRunning else { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(id, &status, 0)
    }

    func out() throws -> String { try streams.text("out") }
    func err() throws -> String { try streams.text("err") }

    var isRunning: Bool {
        guard endStatus == nil else { return false }
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return true }
        // Low seven bits: the signal that ended it, or 0 and the exit status above.
        endStatus = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        return false
    }

    /// Waits for the end; returns the exit status, or the number of the signal that ended it, negated.
    func waitUntilExit() throws -> Int32 {
        do {
            try wait(for: "the end of the process", until: { !isRunning }, seconds: 20)
        } catch {
            kill(id, SIGKILL)
            throw error
        }
        return endStatus ?? 0
    }

    private static func spawn(
        _ words: [String], _ variables: [String], out: String, err: String
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        #if os(Linux)
            // Another test's pipe must not stay open in here: swift-testing reads the pipes of its exit tests to their
            // end, and blocks a thread of the pool meanwhile.
            unsafe closeFromThree(&actions)
        #endif

        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let environment = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        var id = pid_t()
        let code = unsafe posix_spawn(&id, words[0], &actions, &attributes, arguments, environment)
        guard code == 0 else {
            throw Timeout(description: "can't start \(words[0]): \(unsafe String(cString: strerror(code)))")
        }
        return id
    }
}

#if os(Linux)
    /// Lets a child begin with its three streams only.
    ///
    /// glibc has the call since 2.34, but Swift's importer does not see it.
    private func closeFromThree(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
        typealias Call = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Call.self)(actions, 3)
    }
#endif
