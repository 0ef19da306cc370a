internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorScenario
internal import ProctorServer
internal import ProctorServing

let runCommand = Command(
    name: "run", fillings: { ["unasked": UnaskedExchanges.ruleWithoutCase] }, operandNames: "ids"
) { arguments, context in
    guard arguments.operands.count >= 2 else {
        throw UsageError("'run' takes an ID or a FILE and a command: proctor run plain/get -- curl {{base}}/hello")
    }
    let timeout = try arguments.number("--timeout", in: 1...86_400).map { Duration.seconds($0) }
    let (library, ids) = try FixtureLocation(environment: context.environment)
        .library(of: arguments, naming: arguments.operands.prefix(1))
    let authority = try AuthorityOptions(arguments, fixturePaths: library.own, environment: context.environment)
    let scenario = try FixtureReport.scenario(ids[0], in: library, certificates: authority.folders, context.output)
    let choice = CaseChoice(scenario: scenario)
    var run = CommandRun(
        choice: choice, item: try choice.itemIfAny(named: arguments["--case"]), authority: authority,
        ignoresExit: arguments.has("--ignore-exit"), timeout: timeout, context: context)
    run.kinds = try arguments.failingKinds(else: "should")
    run.seed = try arguments.seed
    run.isVerbose = arguments.has("--verbose")
    run.wantedProtocol = try arguments.wantedProtocol
    run.bodyByteCount = try arguments.bodyByteCount
    let command = Array(arguments.operands.dropFirst())
    try run.checkMarks(in: command)
    run.load = try CommandLoad(
        command, body: arguments["--body"], item: run.item, of: scenario, ignoresExit: run.ignoresExit)
    if run.load != nil || arguments["--errors"] != nil {
        let files = ClientFiles(fixturePaths: library.own, output: context.output)
        run.errors = try files.errors(arguments["--errors"], ofProgram: AdapterName.name(of: command))
    }
    run.report = try arguments["--junit"].map { try ReportFile($0, flag: "--junit", context.output) }
    run.journal = try arguments["--journal"].map { try context.output.openJournal($0) }
    return try await run.perform(command)
}

/// One call of `proctor run`: a server, a run, the client's process, the verdict.
struct CommandRun {
    let choice: CaseChoice
    /// The case; nil: only the rules for every run are judged.
    let item: Case?
    let authority: AuthorityOptions
    let ignoresExit: Bool
    /// nil: no time limit.
    let timeout: Duration?
    let context: CommandContext
    /// The meanings of exit codes; nil: unknown.
    var errors: ErrorTable?
    /// Set where the command does the load of the case; nil: nothing is known of what it made of the reply.
    var load: CommandLoad?
    /// The seed of the random values; nil: one is chosen.
    var seed: UInt64?
    /// The protocol of origins without `protocols` of their own.
    var wantedProtocol = RunProtocol.http11
    /// The bytes of each request's content that are kept; nil: the default.
    var bodyByteCount: Int?
    /// The kinds of cases whose failures count.
    var kinds: Set<Case.Kind> = [.must, .should]
    /// Whether expressions and other notation are printed.
    var isVerbose = false
    var report: ReportFile?
    var journal: JournalFile?

    private var scenario: Scenario { choice.scenario }
    private var output: Output { context.output }

    func perform(_ command: [String]) async throws -> ExitCode {
        if let item, let refusal = ProtocolRefusal(of: item, in: scenario, speaking: wantedProtocol) {
            output.message("\(scenario.id)#\(item.name) can't be run so: \(refusal)")
            return .failure
        }
        var configuration = ServerConfiguration.ofProgram
        authority.apply(to: &configuration)
        configuration.journalFile = journal
        configuration.seed = seed
        if let bodyByteCount { configuration.limits.keptBodyByteCount = bodyByteCount }
        let server = try await Server.start(Catalogue([scenario]), configuration: configuration)
        let run: Run
        do {
            run = try await server.run(scenario.id, speaking: wantedProtocol, bounds: RunBounds())
        } catch let refusal where refusal is SecurityRefusal || refusal is HostRefusal || refusal is ProtocolRefusal {
            return await giveUp(server, "\(scenario.id) can't be served: \(refusal)")
        }
        let url: String?
        do throws(AssignmentFailure) {
            url = try item.map { item throws(AssignmentFailure) in try run.assignment(for: item).steps[0].url }
        } catch {
            return await giveUp(server, "\(scenario.id) can't be run: \(error)")
        }
        let copy: OutputCopy?
        do throws(CallFailure) {
            copy = try load?.outputCopy()
        } catch {
            return await giveUp(server, "\(command[0]) can't be run: \(error)")
        }
        let start = MonotonicClock.nanoseconds
        let outcome = try await ChildProcess(
            command: command.map { fill($0, run, url: url) }, environment: environment(of: run), timeout: timeout,
            copy: copy
        ).run()
        let end = MonotonicClock.nanoseconds
        let milliseconds = Int((end &- start) / 1_000_000)
        if case .notStarted(let failure) = outcome {
            let reason = ProgramSearch.reasonNotToRun(command[0], environment: context.environment)
            let words = "the command can't be run: \(reason ?? "\(command[0]): \(failure.text)")"
            return await giveUp(server, words, as: .usage)
        }
        let content: CommandResult.Content?
        do {
            content = try load?.content(copy)
        } catch {
            return await giveUp(server, "what the command wrote can't be judged: \(error)")
        }
        // First lets the client's open connections end, so that the journal is complete.
        await run.stop(grace: .milliseconds(200))
        let snapshot = run.journal.snapshot()
        var result = result(of: outcome)
        if load != nil {
            result?.content = content
            result?.time = start...max(start, end)
        }
        let wire = wireVerdict(run, snapshot, result)
        var shown = item.map { ShownFields($0) } ?? ShownFields()
        if isVerbose {
            shown = shown.whole
        } else if wire.outcome == .fail || !outcome.isSuccess {
            shown = shown.withReplies
        }
        let verdict = CommandVerdict(
            scenario: scenario, item: item, wire: wire, outcome: outcome,
            ignoresExit: ignoresExit, readsExit: errors != nil, milliseconds: milliseconds,
            timeline: WireTimeline(
                snapshot.entries, droppedCount: snapshot.droppedCount, shown: shown
            ).lines, hint: hint(command, run, snapshot), departure: ClientDeparture.sentence(in: snapshot.entries),
            remedy: result?.settled(by: snapshot.entries)?.message, isVerbose: isVerbose, isLoad: load != nil,
            failing: FailingCases(of: kinds))
        await server.stop(grace: .zero)
        output.report("\n" + verdict.text(in: output.style))
        var isWritten = output.isWhole(journal)
        if let report, !report.replace(with: verdict.junit) { isWritten = false }
        return verdict.isFailure || !isWritten ? .failure : .success
    }

    private func giveUp(_ server: Server, _ sentence: String, as code: ExitCode = .failure) async -> ExitCode {
        await server.stop(grace: .zero)
        output.message(sentence)
        return code
    }

    private func wireVerdict(
        _ run: Run, _ snapshot: Journal.Snapshot, _ result: CommandResult?
    ) -> WireVerdict {
        guard let item else {
            return run.wireVerdictWithoutCase(snapshot)
        }
        return run.wireVerdict(of: item, result: result)
    }

    /// The result by the exit code; nil where that says nothing of the load, or when a signal or the time limit ended
    /// the command.
    private func result(of outcome: ChildProcess.Outcome) -> CommandResult? {
        guard let errors, case .ended(.exited(let code)) = outcome else { return nil }
        return CommandResult(error: errors.error(ofExit: Int(code)))
    }

    /// Why the command may have made no requests: it does not trust the certificate, or it needs a proxy.
    private func hint(_ command: [String], _ run: Run, _ snapshot: Journal.Snapshot) -> String? {
        let isUntrusted = snapshot.entries.contains { entry in
            guard case .alert(let alert) = entry.event, alert.party == .client else { return false }
            return ["unknown_ca", "certificate_unknown", "bad_certificate"].contains(alert.name)
        }
        if isUntrusted {
            return "the command does not trust the certificate: give it the authority's, curl by --cacert '{{ca}}', "
                + "others by the path in PROCTOR_CA"
        }
        let single = ["url", "base"].first { name in command.contains { $0.contains(text: "{\(name)}") } }
        if let single, !snapshot.hasConnections {
            return "the command was given {\(single)} as it stands: write {{\(single)}}"
        }
        let proxies = ClientEnvironment(of: run, for: item).proxies
        guard let proxy = proxies.first, !snapshot.hasConnections else { return nil }
        return
            "no request came: the command has to read \(proxy.name), which is \(proxy.value), and NO_PROXY and an option of its own "
            + "may override it"
    }
}

// MARK: Addresses

extension CommandRun {
    /// Throws for a mark that `run` does not know, which would otherwise be passed on unchanged.
    ///
    /// Only a word in double braces is a mark: other programs write `{{.Name}}` and `{{json .}}`.
    func checkMarks(in command: [String]) throws(UsageError) {
        let names = scenario.origins.map(\.name)
        let marks =
            ["base", "url", "ca", "ca-folder", "origin", "authority"]
            + names.flatMap { ["origin.\($0)", "authority.\($0)"] }
        for argument in command {
            for part in MarkedText(argument).parts {
                guard case .mark(let mark) = part, !marks.contains(mark) else { continue }
                for prefix in ["origin.", "authority."] where mark.hasPrefix(prefix) {
                    let name = String(mark.dropFirst(prefix.utf8.count))
                    let known = "it has \(names.joined(separator: ", "))"
                    throw UsageError(
                        "\(scenario.id) has no origin '\(name)'; \(NearestName.hint(for: name, in: names, else: known))"
                    )
                }
                let known = "there are \(marks.map { "{{\($0)}}" }.joined(separator: ", "))"
                let hint = NearestName.find(mark, in: marks).map { "did you mean {{\($0)}}?" } ?? known
                throw UsageError(
                    "the command has {{\(mark)}}, which is no mark of 'run'; \(hint) Write {{{{\(mark)}} where the command "
                        + "itself is to get {{\(mark)}}")
            }
        }
    }

    private func fill(_ argument: String, _ run: Run, url: String?) -> String {
        MarkedText(argument).filled { mark in
            switch mark {
            case "base": run.base
            case "url": load == nil ? nil : url
            case "ca": run.trust
            case "ca-folder": run.trustFolder
            default: address(mark, of: run)
            }
        }
    }

    /// The URL or the authority of an origin, `main` where none is named.
    private func address(_ mark: String, of run: Run) -> String? {
        let words = mark.split(separator: ".", maxSplits: 1).map(String.init)
        let name = words.count > 1 ? words[1] : "main"
        guard let url = run.origins.first(where: { $0.name == name })?.url else { return nil }
        guard words[0] == "authority" else { return url }
        return url.firstRange(ofText: "://").map { String(url[$0.upperBound...]) }
    }

    private func environment(of run: Run) -> [String: String] {
        var environment = context.environment
        environment["PROCTOR_BASE"] = run.base
        environment["PROCTOR_CA"] = run.trust
        environment["PROCTOR_SCENARIO"] = scenario.id
        environment["PROCTOR_CASE"] = item?.name
        for (name, url) in run.origins { environment[ClientEnvironment.variable(ofOrigin: name)] = url }
        for (name, value) in ClientEnvironment(of: run, for: item).proxies { environment[name] = value }
        return environment
    }
}
