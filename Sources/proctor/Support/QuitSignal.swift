#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Makes SIGQUIT do what SIGTERM does, since its own default writes a core file.
///
/// A ``SignalThread`` that watches SIGQUIT takes its place, and gives it back at its end.
enum QuitSignal {
    static func actAsTermination() {
        // raise is async-signal-safe (POSIX.1-2024, XSH 2.4.3).
        _ = signal(SIGQUIT) { _ in _ = raise(SIGTERM) }
    }
}
