internal import ProctorBase
internal import ProctorGateway
internal import ProctorImport
internal import ProctorJournal
internal import ProctorLoop

/// One run of `proctor record --upstream`: a gateway until SIGINT, then the scenario of what came through it.
struct UpstreamRecording {
    private let plan: GatewayPlan
    private let port: UInt16
    private let path: String
    /// What is written to ``path``: the id of the scenario, and the folder that it stands in.
    private let place: (id: String, folder: String)
    private let keepsSecrets: Bool
    private let keepsWaits: Bool
    /// Bytes of long contents in files.
    private let diskLimit: Int
    private let journalPath: String?
    private let output: Output

    /// nil without --upstream.
    init?(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard let url = arguments["--upstream"] else {
            let flags = [
                "--slow", "--fail", "--cut", "--output", "--keep-secrets", "--host", "--upstream-ca", "--insecure",
                "--patience", "--waits", "--disk",
            ]
            if let flag = flags.first(where: arguments.isGiven) { throw UsageError("\(flag) goes with --upstream URL") }
            return nil
        }
        guard arguments.operands.isEmpty, arguments["--replay"] == nil else {
            throw UsageError("--upstream goes with neither a trace nor --replay")
        }
        do {
            var plan = GatewayPlan(to: try Upstream(url))
            if let text = arguments["--slow"] { try plan.faults.readSlow(text) }
            if let text = arguments["--fail"] { try plan.faults.readFail(text) }
            if let text = arguments["--cut"] { try plan.faults.readCut(text) }
            if let text = arguments["--patience"] { try plan.readPatience(text) }
            plan.anchors = try Self.anchors(of: plan.upstream, arguments)
            plan.hosts = Set(arguments.all("--host").map { $0.lowercased() })
            self.plan = plan
        } catch let refusal as GatewayRefusal {
            throw UsageError("\(refusal)")
        }
        guard let limit = Int(arguments["--disk"] ?? "4294967296"), limit >= 0 else {
            throw UsageError("--disk takes a number of bytes, as in --disk 1000000, not '\(arguments["--disk"] ?? "")'")
        }
        diskLimit = limit
        keepsWaits = arguments.has("--waits")
        port = try Self.port(arguments)
        path = arguments["--output"] ?? "recorded.yaml"
        place = try Self.place(of: path)
        keepsSecrets = arguments.has("--keep-secrets")
        journalPath = arguments["--journal"]
        output = context.output
    }

    /// The authorities that may sign the server's certificate, in PEM; nil where its certificate is not checked.
    private static func anchors(of upstream: Upstream, _ arguments: ParsedArguments) throws -> [UInt8]? {
        let (file, isInsecure) = (arguments["--upstream-ca"], arguments.has("--insecure"))
        guard upstream.speaksTLS else {
            guard file == nil, !isInsecure else {
                throw UsageError("--upstream-ca and --insecure go with --upstream https://")
            }
            return nil
        }
        guard (file != nil) != isInsecure else {
            throw UsageError(
                "https needs either --upstream-ca FILE, with the certificate that the server is trusted by, or --insecure"
            )
        }
        return try file.map { try InputFile.bytes(of: $0, limit: 16 << 20) }
    }

    private static func place(of path: String) throws -> (id: String, folder: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, name.hasSuffix(".yaml") else {
            throw UsageError("--output takes the file of a scenario, which ends in .yaml, not '\(path)'")
        }
        let id = String(name.dropLast(5))
        try Scaffold.check(id)
        // The folder of `/a.yaml` is the root.
        let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
        return (id, folder.isEmpty ? "/" : folder)
    }

    private static func port(_ arguments: ParsedArguments) throws -> UInt16 {
        guard let text = arguments["--port"] else { return UInt16(ServeOptions.defaultPort) }
        guard let port = UInt16(text) else { throw UsageError("--port takes a number from 0 to 65535, not '\(text)'") }
        return port
    }

    func run() async throws -> ExitCode {
        // Told before anything is recorded, so that nothing is lost.
        guard FileKind(of: path) == nil else {
            throw InputFailure("\(path) exists, and is not replaced; name another file with --output")
        }
        let file = try journalPath.map { try output.openJournal($0) }
        let journal = Journal(
            of: "recording", run: "r1", limits: Journal.Limits(entryCount: 20_000, byteCount: 64 << 20), file: file,
            faults: nil, lines: nil)
        let contents: ContentFiles
        do throws(CallFailure) {
            contents = try ContentFiles(byteLimit: diskLimit)
        } catch {
            throw InputFailure("no folder for long contents can be made in \(TemporaryFolder.path): \(error.text)")
        }
        let gateway: Gateway
        do {
            gateway = try await Gateway.start(plan, port: port, journal: journal, contents: contents)
        } catch let failure as CallFailure {
            throw InputFailure(
                "port \(port) of 127.0.0.1 can't be used: \(failure.text); take a free one with --port 0")
        }
        let signals = try await SignalThread([], stops: SignalThread.endsOfServing)
        output.out("recording \(plan.upstream.url) at http://\(gateway.address); ^C writes \(path)\n")
        let serving = Task { await gateway.run() }
        for await _ in signals.events {}
        serving.cancel()
        await serving.value
        await signals.stop()
        let code = try write(journal.snapshot(), gateway.recorded)
        return output.isWhole(file) ? code : .failure
    }

    /// Contents up to this are read, so that their codings are undone and their secrets are replaced; longer ones stay files.
    private static let readByteLimit = 1 << 20
    /// The most bytes of all contents together that are read; further contents stay files.
    private static let allReadByteLimit = 64 << 20

    private static func read(_ outcomes: [Int: RecordedOutcome]) -> [Int: RecordedOutcome] {
        var room = allReadByteLimit
        var outcomes = outcomes
        for number in outcomes.keys.sorted() {
            guard let stored = outcomes[number]?.stored, stored.byteCount <= min(room, readByteLimit),
                let bytes = try? InputFile.bytes(of: stored.path, limit: readByteLimit)
            else { continue }
            room -= bytes.count
            outcomes[number]?.content = bytes
        }
        return outcomes
    }

    /// Writes the scenario; a request without a reply that can be recorded is left out, and told.
    private func write(_ snapshot: Journal.Snapshot, _ outcomes: [Int: RecordedOutcome]) throws -> ExitCode {
        let answered = Set(
            snapshot.entries.compactMap { entry -> Int? in
                if case .replyBegun = entry.event { entry.request } else { nil }
            })
        let ended = outcomes.filter { $0.value.ending != nil }.map(\.key)
        let count = answered.union(ended).count
        guard count > 0 else {
            throw InputFailure("no request was answered by \(plan.upstream.url), so there is nothing to write")
        }
        let entries = snapshot.entries.filter {
            $0.request.map { answered.contains($0) || outcomes[$0]?.failure != nil } ?? true
        }
        let draft = try Importer(keepsSecrets: keepsSecrets, keepsWaits: keepsWaits, within: WorkBudget()).draft(
            entries, droppedCount: snapshot.droppedCount, of: plan.upstream.url, outcomes: Self.read(outcomes))
        guard try ImportedScenario(id: place.id, folder: place.folder, draft: draft).write(output) else {
            return .failure
        }
        output.message(
            "\(path) answers \(Plural.count(count, "request")) as \(plan.upstream.url) did; "
                + "try it with: proctor record --replay \(path)")
        return .success
    }

    /// Serves a scenario at the root of a port, as `proctor serve --root` does.
    static func replay(
        _ file: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> ExitCode {
        guard arguments.operands.isEmpty else { throw UsageError("--replay goes with no trace") }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let id =
            name.hasSuffix(".yaml")
            ? String(name.dropLast(5)) : name.hasSuffix(".yml") ? String(name.dropLast(4)) : name
        var words = [file, "--root", id]
        if let port = arguments["--port"] { words += ["--port", port] }
        if let journal = arguments["--journal"] { words += ["--journal", journal] }
        let parsed = try ParsedArguments(words, flags: serveCommand.flags, command: serveCommand.name)
        return try await serveCommand.run(parsed, context)
    }
}
