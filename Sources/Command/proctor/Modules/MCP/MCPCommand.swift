internal import ProctorBase
internal import ProctorBook
internal import ProctorExam
internal import ProctorLoop
internal import ProctorMCP
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

let mcpCommand = Command(name: "mcp") { arguments, context in
    guard arguments.operands.isEmpty else { throw UsageError("'mcp' takes no operands, only flags") }
    guard arguments["--write"]?.isEmpty != true else { throw UsageError("--write takes a folder's path") }
    guard arguments["--at"] != nil || arguments["--token"] == nil else {
        throw UsageError("--token is the token of the server of --at; a server of its own makes one for itself")
    }
    let library = try FixtureLocation(environment: context.environment).library(of: arguments)
    let server = try await MCPServerPlace(arguments, library: library, context: context)
    let tools = MCPTools(
        client: server.client, library: library, book: try Book.comingWithProgram(), context: context,
        folder: arguments["--write"], runsCommands: !arguments.has("--no-commands"))
    do {
        try await MCPConversation(tools: tools).run()
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
    return .success
}

/// The server whose control API the tools use.
private struct MCPServerPlace {
    let client: ControlConnection
    /// nil: the server is another process.
    private let own: Server?

    /// Finds the server of `--at`, or starts one on a free port of 127.0.0.1 with a token that only this process knows.
    init(_ arguments: ParsedArguments, library: FixtureLibrary, context: CommandContext) async throws {
        if let url = arguments["--at"] {
            own = nil
            let token = arguments["--token"] ?? context.environment["PROCTOR_TOKEN"]
            client = try ControlConnection(url, saidBy: "--at", token: token)
            return
        }
        let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
        let output = context.output
        let check = LateCheck(certificates: CertificateReport(folders: authority.folders), output: output)
        var configuration = ServerConfiguration.ofProgram
        authority.apply(to: &configuration)
        ServedBook(folder: try ShippedFiles.folder(BookFolder.name)).register(in: &configuration)
        configuration.packFolder = try ShippedFiles.folder("packs")
        configuration.token = ServeOptions.randomToken
        configuration.report = { output.message($0) }
        let server = try await Server.start(
            Catalogue(check.reading(library.find())), configuration: configuration)
        own = server
        client = ControlConnection(address: server.address, token: configuration.token)
    }

    func stop() async { await own?.stop(grace: .zero) }
}

/// The lines of one client, from the first to the end of its input.
private struct MCPConversation: Sendable {
    let tools: MCPTools

    /// Reads lines and answers them, calls beside each other; returns when all are answered, or after a signal.
    func run() async throws {
        let input = StandardInput()
        let session = Locked(MCPSession(tools.description))
        let signals = try await SignalThread([], stops: [SIGINT, SIGTERM, SIGHUP]) {
            input.endInput()
            LeftProcesses.endAll()
            // A call that waits for a busy server would keep the process.
            WorkerThread {
                sleep(1)
                exit(ExitCode.failure.rawValue)
            }?.detach()
        }
        await withDiscardingTaskGroup { group in
            var lines = MCPLines()
            while let bytes = await input.next() {
                for line in lines.append(bytes) { handle(line, session, &group) }
            }
            if let rest = lines.finish() { handle(rest, session, &group) }
        }
        await signals.stop()
    }

    private func handle(_ line: [UInt8]?, _ session: Locked<MCPSession>, _ group: inout DiscardingTaskGroup) {
        // The answer is written under the lock, so that lines do not mix.
        let step = session.withLock { session in
            let step = session.receive(line)
            if case .send(let bytes) = step { StandardOutput.write(bytes) }
            return step
        }
        guard case .run(let call) = step else { return }
        group.addTask {
            let result = await tools.result(of: call.work)
            session.withLock { session in
                if let bytes = session.answerCall(call, with: result) { StandardOutput.write(bytes) }
            }
        }
    }
}
