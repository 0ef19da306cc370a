internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Asks a proxy auto-configuration file in a process of its own, which ends within a bound of time whatever the file does.
package struct PACProcess: Sendable {
    /// The program that answers, which calls ``answerQuestion()``; its path and arguments.
    private let command: [String]
    private let timeLimit: Duration

    /// How long the file may take for one URL.
    package static let usualTimeLimit = Duration.seconds(2)
    /// The processor seconds after which the system ends the process, should its parent be gone.
    private static let processorSeconds: rlim_t = 3
    private static let answerByteLimit = 1 << 20

    package init(command: [String], timeLimit: Duration = usualTimeLimit) {
        (self.command, self.timeLimit) = (command, timeLimit)
    }

    /// What the file answers; blocks the thread up to the limit of time.
    package func findProxies(for question: PACQuestion) throws(PACFailure) -> PACAnswer {
        guard question.script.count <= PACQuestion.scriptByteLimit else {
            throw PACFailure(
                "the file has \(question.script.count) bytes; at most \(PACQuestion.scriptByteLimit) are read")
        }
        let output = try ask(question.bytes)
        guard let mark = output.first else { throw PACFailure("the process that ran the file said nothing") }
        let text = String(decoding: output.dropFirst(), as: UTF8.self)
        switch mark {
        case UInt8(ascii: "="): return PACAnswer(text)
        case UInt8(ascii: "0"): return PACAnswer(nil)
        default: throw PACFailure(text)
        }
    }

    // MARK: The process that runs the file

    /// Reads one question on standard input, and writes the answer to standard output; the exit code is the result.
    package static func answerQuestion() -> Int32 {
        var limit = rlimit(rlim_cur: processorSeconds, rlim_max: processorSeconds)
        #if canImport(Darwin)
            _ = unsafe setrlimit(RLIMIT_CPU, &limit)
        #else
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        #endif
        var input: [UInt8] = []
        while input.count <= PACQuestion.byteLimit {
            let piece = readPiece(0)
            guard !piece.isEmpty else { break }
            input += piece
        }
        guard let question = PACQuestion(input) else { return 64 }
        let output: [UInt8]
        do throws(PACFailure) {
            let text = try PACEngine.findProxies(
                for: question.url, host: question.host, by: question.script, names: question.names)
            output = text.map { Array("=\($0)".utf8) } ?? [UInt8(ascii: "0")]
        } catch {
            output = Array("!\(error.sentence)".utf8)
        }
        return FullWrite.write(output, to: 1).failure == nil ? 0 : 74
    }

    private static func readPiece(_ descriptor: Int32) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe FileCalls.read(descriptor, $0.baseAddress, $0.count) }
        return Array(piece.prefix(max(0, count)))
    }

    // MARK: Its parent

    private func ask(_ question: [UInt8]) throws(PACFailure) -> [UInt8] {
        // The question is no longer than a file, and the child reads all of it before it runs anything; a socket is written
        // without a signal where the child is gone.
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        do throws(CallFailure) { (ours, theirs) = try Self.pair() } catch { throw PACFailure("\(error)") }
        defer { close(ours) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        let process: pid_t
        do throws(CallFailure) {
            defer { close(theirs) }
            process = try ProgramSpawn.start(
                command, environment: ["PATH": "/usr/bin:/bin"], streams: [theirs, theirs], defaulting: signals,
                closesOthers: true)
        } catch {
            throw PACFailure("the file can't be run: \(error)")
        }
        defer {
            // A process that has ended gets no signal, since it is not reaped before.
            kill(process, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            ProgramSpawn.forget(process)
        }
        return try exchange(question, over: ours)
    }

    private func exchange(_ question: [UInt8], over descriptor: Int32) throws(PACFailure) -> [UInt8] {
        let deadline = MonotonicClock.nanoseconds &+ timeLimit.wholeNanoseconds
        var (rest, answer, isAsked): (ArraySlice<UInt8>, [UInt8], Bool) = (question[...], [], false)
        while true {
            if rest.isEmpty, !isAsked {
                isAsked = true
                shutdown(descriptor, Int32(SHUT_WR))
            }
            let now = MonotonicClock.nanoseconds
            var waiting = pollfd(fd: descriptor, events: Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
            let left = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
            let count = unsafe poll(&waiting, 1, Int32(clamping: left))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw PACFailure(
                    "the file has not answered within \(timeLimit); a proxy is found in that time or not at all")
            }
            if !rest.isEmpty, waiting.revents & Int16(POLLOUT) != 0 {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe send(descriptor, $0.baseAddress, $0.count, Self.quietly)
                }
                if count > 0 { rest = rest.dropFirst(count) } else { rest = [] }
            }
            guard waiting.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            let piece = Self.readPiece(descriptor)
            if piece.isEmpty { return answer }
            answer += piece
            guard answer.count <= Self.answerByteLimit else {
                throw PACFailure("the answer has more than \(Self.answerByteLimit) bytes, which are the most")
            }
        }
    }

    #if canImport(Darwin)
        private static let quietly = MSG_DONTWAIT
    #else
        private static let quietly = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif

    private static func pair() throws(CallFailure) -> (Int32, Int32) {
        var descriptors: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let result = unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &descriptors)
        #else
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let result = unsafe socketpair(AF_UNIX, kind, 0, &descriptors)
        #endif
        guard result == 0 else { throw .system("socketpair", code: errno) }
        #if canImport(Darwin)
            for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            var isOn: Int32 = 1
            _ = unsafe setsockopt(descriptors[0], SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return (descriptors[0], descriptors[1])
    }
}
