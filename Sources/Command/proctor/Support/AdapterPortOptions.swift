internal import ProctorBase
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorLoop
internal import ProctorServer

/// Where an exam waits for an adapter over the network, checked: `tcp://ADDRESS:PORT` as the adapter, and its flags.
struct AdapterPortOptions: Sendable {
    let address: AdapterAddress
    /// What the adapter has to show.
    let token: String
    /// Whether the token was made for this exam, and so must be printed.
    let isTokenOwn: Bool
    let patience: Duration

    /// What a connecting adapter reads; the kits take them from their environment.
    static let addressVariable = "PROCTOR_ADAPTER"
    static let tokenVariable = "PROCTOR_ADAPTER_TOKEN"

    private static let tokenLengths = 16...200
    private static let defaultPatience = 60

    /// nil when the adapter is a program.
    init?(_ arguments: ParsedArguments, adapter: [String], environment: [String: String]) throws(UsageError) {
        guard let text = adapter.first, text.hasPrefix(AdapterAddress.scheme) else {
            if let flag = ["--adapter-token", "--adapter-wait", "--allow-remote"].first(where: arguments.isGiven) {
                throw UsageError("\(flag) is for an adapter over the network, --adapter tcp://ADDRESS:PORT")
            }
            return nil
        }
        guard adapter.count == 1, let address = AdapterAddress(text) else {
            throw UsageError(
                "'\(PrintableText.sanitize(adapter.joined(separator: " "), limit: 80))' is no place to wait at for an "
                    + "adapter; expected tcp://ADDRESS:PORT with an IPv4 address, an IPv6 address in brackets or "
                    + "localhost, and a port from 0 to 65535")
        }
        if address.isEveryInterface {
            throw UsageError(
                "\(address) stands for all addresses of this machine, and an adapter needs one that it can reach; "
                    + "name that one")
        }
        if !address.socket.isLoopback, !arguments.has("--allow-remote") {
            throw UsageError(
                "\(address) can be reached from other machines, and proctor misbehaves on purpose; "
                    + "say --allow-remote if that is meant")
        }
        self.address = address
        let given = arguments["--adapter-token"] ?? environment[Self.tokenVariable].flatMap { $0.isEmpty ? nil : $0 }
        if let given {
            guard Self.tokenLengths ~= given.utf8.count, given.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw UsageError(
                    "the token of an adapter has \(Self.tokenLengths.lowerBound) to \(Self.tokenLengths.upperBound) "
                        + "printable characters of ASCII without spaces; leave it out, and one is made")
            }
        }
        isTokenOwn = given == nil
        token = given ?? ServeOptions.randomToken
        patience = .seconds(try arguments.number("--adapter-wait", in: 1...3_600) ?? Self.defaultPatience)
    }

    /// Opens the port and waits for the first connection; nil after an error, which was printed.
    func open(_ output: Output) async throws -> AdapterPort? {
        let port: AdapterPort
        do {
            port = try await AdapterPort.open(at: address, token: token, patience: patience)
        } catch let failure as CallFailure {
            output.message("no adapter can be waited for: \(StartAdvice.text(for: failure, at: address.socket))")
            return nil
        }
        port.onNote { output.message($0) }
        let shown = isTokenOwn ? " \(Self.tokenVariable)=\(port.token)" : ""
        let seconds = patience.components.seconds
        output.message(
            "waiting \(seconds) s for an adapter; start it with \(Self.addressVariable)=\(port.address)\(shown)")
        guard await port.hasAdapter() else {
            if !Task.isCancelled {
                output.message(
                    "no adapter connected to \(port.address) within \(seconds) s; --adapter-wait gives it longer")
            }
            await port.close()
            return nil
        }
        output.message("an adapter is connected")
        return port
    }

    /// What the server listens at, so that the adapter's client reaches it: nil for loopback, where it listens anyhow.
    var serverAddress: SocketAddress? { address.socket.isLoopback ? nil : address.socket.with(port: 0) }
}
