import Foundation
import ProctorBase

/// A program with its words and variables, ready to be started with three descriptors and no more.
struct ProgramStart {
    let name: String
    private let words: [String]
    private let environment: [String: String]

    /// The environment is ours, without proxies, with `environment` laid over it.
    init(_ words: [String], environment: [String: String], folder: String?) {
        // The shell takes the process's number with it into the program.
        let change = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
        self.words = change + words
        name = String(words.joined(separator: " ").prefix(200))
        self.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }
            .merging(environment) { $1 }
    }

    /// Without `input` the program reads from /dev/null; the descriptors stay the caller's.
    func spawn(input: Int32?, output: Int32, errors: Int32) throws(CallFailure) -> pid_t {
        let nothing = input == nil ? unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) : -1
        defer { if nothing >= 0 { close(nothing) } }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
        // Another test's pipe must not stay open in here: swift-testing reads the pipes of its exit tests to their end,
        // and blocks a thread of the pool meanwhile.
        return try ProgramSpawn.start(
            words, environment: environment, streams: [input ?? nothing, output, errors], defaulting: signals,
            ownGroup: true, closesOthers: true)
    }
}
