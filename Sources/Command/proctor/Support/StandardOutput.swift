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

    /// Whether a write has failed.
    ///
    /// The reader of the output is gone from then on, so a command that follows a run ends.
    static var isClosed: Bool { loss.withLock { $0 != nil } }

    static func write(_ bytes: [UInt8]) { write(bytes.span) }

    static func write(_ bytes: borrowing Span<UInt8>) {
        let (written, failure) = FullWrite.write(bytes, to: STDOUT_FILENO)
        guard let failure else { return }
        loss.withLock { loss in
            loss = loss ?? Loss(failure: failure, byteCount: 0)
            loss?.byteCount += bytes.count - written
        }
    }

    /// A sentence about what was lost; nil where nothing was, and where the reader has closed its pipe, since it has what
    /// it wanted.
    static var complaint: String? {
        guard let loss = loss.withLock(\.self), loss.failure.code != EPIPE else { return nil }
        return "standard output can't be written: \(loss.failure.text); \(Plural.count(loss.byteCount, "byte")) "
            + (loss.byteCount == 1 ? "was lost" : "were lost")
    }
}
