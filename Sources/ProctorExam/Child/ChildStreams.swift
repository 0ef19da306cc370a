import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The standard streams of one child: a file to read from, and two pipes whose other ends are ours.
struct ChildStreams {
    /// Descriptors of the child, in the order of its streams; -1 when closed.
    private(set) var theirs: [Int32] = []
    /// Our ends of output and error output, non-blocking; -1 when closed.
    private(set) var ours: [Int32] = []

    /// The input is a file without a name, so that the child may read it or not, and reopen it too.
    init(input: [UInt8]) throws(CallFailure) {
        theirs.append(try Self.file(holding: input))
        for _ in 0..<2 {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                let failure = CallFailure.system("pipe")
                close()
                throw failure
            }
            // Two calls, so a child that somebody starts in between keeps a copy; nobody here waits for an end of file.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            ours.append(ends[0])
            theirs.append(ends[1])
        }
    }

    /// To be called when the child has its own copies.
    mutating func closeTheirs() {
        for index in theirs.indices { Self.close(&theirs[index]) }
    }

    /// Ours: 0 is the output, 1 the error output.
    mutating func close(_ stream: Int) {
        Self.close(&ours[stream])
    }

    mutating func close() {
        closeTheirs()
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
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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

/// The system's `close`, under a name that methods do not hide.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
