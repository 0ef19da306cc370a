import Foundation
import ProctorBase

/// A program with its words and variables, ready to be started with three descriptors and no more.
struct ProgramStart {
    /// For messages.
    let name: String
    private let words: [String]
    private let variables: [String]

    /// The environment is ours, without proxies, with `environment` laid over it.
    init(_ words: [String], environment: [String: String], folder: String?) {
        // The shell takes the process's number with it into the program.
        let change = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        self.words = change + words
        name = String(words.joined(separator: " ").prefix(200))
        variables = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }
            .merging(environment) { $1 }
            .map { "\($0.key)=\($0.value)" }
    }

    /// Without `input` the program reads from /dev/null; the descriptors stay the caller's.
    func spawn(input: Int32?, output: Int32, errors: Int32) throws(CallFailure) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        // Another test's pipe must not stay open in here: swift-testing reads the pipes of its exit tests to their end,
        // and blocks a thread of the pool meanwhile.
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            unsafe closeFromThree(&actions)
        #endif
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        let program = words.first ?? ""
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let environment = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        var id = pid_t()
        let code = unsafe posix_spawn(&id, program, &actions, &attributes, arguments, environment)
        guard code == 0 else { throw .system("posix_spawn \(program)", code: code) }
        return id
    }
}

#if !canImport(Darwin)
    /// Lets a child begin with its three streams only.
    ///
    /// glibc has the call since 2.34, but Swift's importer does not see it.
    private func closeFromThree(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
        typealias Call = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Call.self)(actions, 3)
    }
#endif
