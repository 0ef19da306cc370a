import Foundation
import ProctorBase

/// A program in a process group of its own, with one socket as its standard input and output.
///
/// Calls block, each until a deadline at most; use it from one thread at a time, and not from a task's.
final class ChildProcess {
    private let identifier: pid_t
    private let channel: Int32
    private var unread: [UInt8] = []
    private var hasEnded = false

    /// Nobody is to wait for a client for ever.
    enum Failure: Error, Equatable {
        case notStarted(CallFailure)
        /// The deadline passed; the process group was killed.
        case hang
        /// The program ended before it had said what it was asked for.
        case endedEarly
    }

    /// Starts `arguments[0]`, which is a path; proxies of the environment are not handed on.
    init(_ arguments: [String]) throws(Failure) {
        let (ours, theirs) = try Self.socketPair()
        defer { _ = close(theirs) }
        do throws(CallFailure) {
            identifier = try Self.spawn(arguments, on: theirs)
        } catch {
            _ = close(ours)
            throw .notStarted(error)
        }
        channel = ours
    }

    deinit {
        kill()
        _ = close(channel)
    }

    /// Writes all of it; a program that does not read is found out by the next read.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(channel, $0.baseAddress, $0.count, Self.sendFlags) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The program's standard input ends.
    func finishInput() {
        _ = shutdown(channel, Self.shutdownWrite)
    }

    /// The next line of the program's output, without its end.
    func readLine(until deadline: UInt64) throws(Failure) -> [UInt8] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            guard try readMore(until: deadline) else { throw .endedEarly }
        }
    }

    /// All further output, and the status with which the program ends.
    func readToEnd(until deadline: UInt64) throws(Failure) -> (output: [UInt8], status: Int32) {
        while try readMore(until: deadline) {}
        return (unread, try waitForEnd(until: deadline))
    }

    /// Ends the whole group at once; harmless when it has ended.
    func kill() {
        guard !hasEnded else { return }
        _ = Foundation.kill(-identifier, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
    }

    /// False at the end of the output.
    private func readMore(until deadline: UInt64) throws(Failure) -> Bool {
        while true {
            var entry = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&entry, 1, Self.milliseconds(until: deadline))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                kill()
                throw .hang
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(channel, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            unread += buffer[..<count]
            return true
        }
    }

    private func waitForEnd(until deadline: UInt64) throws(Failure) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, WNOHANG) == 0 {
            guard MonotonicClock.nanoseconds < deadline else {
                kill()
                throw .hang
            }
            usleep(500)
        }
        hasEnded = true
        return status
    }

    private static func milliseconds(until deadline: UInt64) -> Int32 {
        let now = MonotonicClock.nanoseconds
        return deadline > now ? Int32(clamping: (deadline - now) / 1_000_000 + 1) : 0
    }
}

extension ChildProcess {
    #if canImport(Darwin)
        private static let sendFlags: Int32 = 0
        private static let shutdownWrite = SHUT_WR
    #else
        private static let sendFlags = Int32(MSG_NOSIGNAL)
        private static let shutdownWrite = Int32(SHUT_WR)
    #endif

    /// Two programs started at once must not inherit each other's ends.
    ///
    /// Not a `Void`, which has no bytes of its own: the thread sanitizer takes those of its neighbour for it.
    private static let spawning = Locked(false)

    private static func socketPair() throws(Failure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #endif
        let result = spawning.withLock { _ in
            let result = unsafe socketpair(AF_UNIX, kind, 0, &ends)
            #if canImport(Darwin)
                for end in ends where end >= 0 {
                    var on: Int32 = 1
                    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                    unsafe setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
                }
            #endif
            return result
        }
        guard result == 0 else { throw .notStarted(.system("socketpair")) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ arguments: [String], on channel: Int32) throws(CallFailure) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, channel, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, channel, 1)
        #if os(Linux)
            // Another test's pipe must not stay open in here: swift-testing reads the pipes of its exit tests to their
            // end, and blocks a thread of the pool meanwhile.
            unsafe closeFromThree(&actions)
        #endif
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)

        let program = arguments.first ?? ""
        let result = unsafe withStrings(arguments) { words in
            unsafe withStrings(environment) { environment in
                var identifier: pid_t = 0
                let code = spawning.withLock { _ in
                    unsafe posix_spawn(&identifier, program, &actions, &attributes, words, environment)
                }
                return (code: code, identifier: identifier)
            }
        }
        guard result.code == 0 else { throw .system("posix_spawn \(program)", code: result.code) }
        return result.identifier
    }

    /// An array of C strings with a null pointer at its end, as exec wants it; gone when `body` returns.
    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            // Never nil: the array holds at least its end.
            guard let start = buffer.baseAddress else { preconditionFailure("an array with an element has no address") }
            return unsafe body(start)
        }
    }

    /// Ours, without proxies: a client under test must not leave the machine.
    private static var environment: [String] {
        ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }
            .map { "\($0.key)=\($0.value)" }
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
