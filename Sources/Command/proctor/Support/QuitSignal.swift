#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Makes SIGQUIT act like SIGTERM, since its default action writes a core file.
///
/// A ``SignalThread`` that watches SIGQUIT replaces this action, and restores it at its end.
enum QuitSignal {
    static func actAsTermination() {
        // raise is async-signal-safe (POSIX.1-2024, XSH 2.4.3).
        _ = signal(SIGQUIT) { _ in _ = raise(SIGTERM) }
    }
}
