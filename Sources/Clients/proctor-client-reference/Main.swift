internal import ProctorAdapter

/// One assignment on standard input, one trace on standard output; Docs/clients/adapters.md has the protocol.
@main
enum Main {
    static func main() async { await AdapterProgram.main { await Adapter.run($0) } }
}
