internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The process's standard input as pieces, each read on a thread of its own when it is asked for; safe from any thread.
final class StandardInput: Sendable {
    private struct State {
        var waiting: CheckedContinuation<[UInt8]?, Never>?
        var isEnded = false
    }

    private let state = Locked(State())
    private static let pieceByteCount = 64 << 10

    /// The next bytes; nil at the end, where they can't be read, and after ``endInput()``.
    ///
    /// Only one call may wait.
    func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.waiting = continuation }
                return state.isEnded
            }
            guard !isEnded else { return continuation.resume(returning: nil) }
            guard let thread = WorkerThread({ [self] in deliver(Self.piece()) }) else { return deliver(nil) }
            thread.detach()
        }
    }

    /// Ends the input for its reader, also while it waits; the thread that reads stays until its read returns.
    func endInput() {
        state.withLock { $0.isEnded = true }
        deliver(nil)
    }

    private func deliver(_ bytes: [UInt8]?) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: bytes)
    }

    /// Blocks its thread.
    private static func piece() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: pieceByteCount)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe FileCalls.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
