#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One assignment on standard input, one trace on standard output; Docs/adapters.md has the protocol.
@main
enum Main {
    static func main() async {
        Surroundings.leave()
        let code = await Adapter.run(Array(CommandLine.arguments.dropFirst()))
        // Not by returning: a session that hangs would keep its threads, and atexit handlers would wait for them.
        _exit(code)
    }
}
