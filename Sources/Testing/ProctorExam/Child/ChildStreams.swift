import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The standard streams of one child: a file or a socket for input, and two pipes for output; this process has their
/// other ends.
struct ChildStreams {
    /// The child's descriptors: input, output, error output; -1 when closed.
    private(set) var theirs: [Int32] = []
    /// Our ends of output and error output, non-blocking; -1 when closed.
    private(set) var ours: [Int32] = []
    /// Our end of the child's input, non-blocking; -1 where the input is a file, and when closed.
    private(set) var ourInput: Int32 = -1

    /// `input` becomes an unnamed file, which the child may ignore or reopen; nil: a socket that is written while the
    /// child lives.
    init(input: [UInt8]?) throws(CallFailure) {
        if let input { theirs.append(try Self.file(holding: input)) } else { try openInput() }
        try openOutputs()
    }

    private mutating func openInput() throws(CallFailure) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system("socketpair") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var on: Int32 = 1
            guard unsafe setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
            else {
                let failure = CallFailure.system("setsockopt SO_NOSIGPIPE")
                for end in ends { Darwin.close(end) }
                throw failure
            }
        #endif
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        ourInput = ends[0]
        theirs.append(ends[1])
    }

    private mutating func openOutputs() throws(CallFailure) {
        for _ in 0..<2 {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                let failure = CallFailure.system("pipe")
                close()
                throw failure
            }
            // Not atomic, so a child that another thread starts meanwhile keeps a copy on Linux; the code does not rely
            // on end of file. On Darwin a child inherits nothing but its streams (ProgramSpawn).
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            ours.append(ends[0])
            theirs.append(ends[1])
        }
    }

    /// Writes as many bytes as the child's input takes now; nil when the child has closed it.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = unsafe bytes.withUnsafeBytes { unsafe sendBytes($0, to: ourInput, flags: flags) }
        let code = errno
        if count >= 0 { return count }
        return code == EAGAIN || code == EINTR ? 0 : nil
    }

    /// Call it when the child has its own copies of the descriptors.
    mutating func closeTheirs() {
        for index in theirs.indices { Self.close(&theirs[index]) }
    }

    /// Closes this process's end: 0 is the output, 1 the error output.
    mutating func closeOutput(_ stream: Int) {
        Self.close(&ours[stream])
    }

    /// Closes the child's input, once all of it is sent.
    mutating func closeInput() { Self.close(&ourInput) }

    mutating func close() {
        closeTheirs()
        Self.close(&ourInput)
        for index in ours.indices { Self.close(&ours[index]) }
    }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
    }

    private static let fileCount = Locked(0)

    private static func file(holding bytes: [UInt8]) throws(CallFailure) -> Int32 {
        let number = fileCount.withLock { count in
            count += 1
            return count
        }
        let path = "\(TemporaryFolder.path)/proctor-\(getpid())-\(number)-\(MonotonicClock.nanoseconds).input"
        let descriptor = FileCalls.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open \(path)") }
        unsafe unlink(path)
        if let failure = FullWrite.write(bytes, to: descriptor).failure {
            closeDescriptor(descriptor)
            throw failure
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}

/// The system's `send`, under a name that methods do not hide.
private func sendBytes(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, flags: Int32) -> Int {
    unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
}

/// The system's `close`, under a name that methods do not hide.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
