internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The process's standard output, which remembers that a write has failed, so that no command ends with exit 0 after
/// losing what it printed; safe from any thread.
enum StandardOutput {
    private struct Loss {
        let failure: CallFailure
        var byteCount: Int
    }

    private static let loss = Locked<Loss?>(nil)
    private static let hasFailed = Locked(false)

    /// Whether a write has failed, so that what is printed from now on reaches nobody: a command that follows something ends.
    static var isClosed: Bool { hasFailed.withLock(\.self) }

    static func write(_ bytes: [UInt8]) { write(bytes.span) }

    static func write(_ bytes: borrowing Span<UInt8>) {
        let (written, failure) = FullWrite.write(bytes, to: STDOUT_FILENO)
        guard let failure else { return }
        hasFailed.withLock { $0 = true }
        // A reader that closes its pipe has what it wanted.
        guard failure.code != EPIPE else { return }
        loss.withLock { loss in
            loss = loss ?? Loss(failure: failure, byteCount: 0)
            loss?.byteCount += bytes.count - written
        }
    }

    /// A sentence about what was lost; nil where nothing was.
    static var complaint: String? {
        loss.withLock { $0 }.map { loss in
            "standard output can't be written: \(loss.failure.text); \(Plural.count(loss.byteCount, "byte")) "
                + (loss.byteCount == 1 ? "was lost" : "were lost")
        }
    }
}
