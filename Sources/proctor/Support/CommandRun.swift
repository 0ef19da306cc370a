internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer

/// One call of `proctor run`: a server, a run, the client's process, the verdict.
struct CommandRun {
    let choice: ScenarioChoice
    /// nil: nothing is asked but what is asked of every run.
    let item: Case?
    let authority: AuthorityOptions
    let ignoresExit: Bool
    /// nil: the command may take as long as it likes.
    let timeout: Duration?
    let surroundings: Surroundings
    /// What exit codes say of the command's load; nil: nothing.
    var errors: ErrorTable?
    private var report: ReportFile?
    private var journal: JournalFile?

    private var scenario: Scenario { choice.scenario }
    private var output: Output { surroundings.output }

    init(
        choice: ScenarioChoice, item: Case?, authority: AuthorityOptions, ignoresExit: Bool, timeout: Duration?,
        surroundings: Surroundings
    ) {
        self.choice = choice
        self.item = item
        self.authority = authority
        self.ignoresExit = ignoresExit
        self.timeout = timeout
        self.surroundings = surroundings
    }

    /// Tries the files that are to be written; false when one can't be, which has been said then.
    mutating func open(report path: String?, journal journalPath: String?) throws -> Bool {
        if let path {
            report = ReportFile.tried(path, flag: "--junit", output)
            guard report != nil else { return false }
        }
        if let path = journalPath {
            do throws(CallFailure) {
                journal = try JournalFile(path: path) { [output] in output.note($0) }
            } catch {
                output.note("--journal \(path) can't be written: \(error.text)")
                return false
            }
        }
        return true
    }

    func perform(_ command: [String]) async throws -> ExitCode {
        var configuration = ServerConfiguration()
        authority.apply(to: &configuration)
        configuration.journalFile = journal
        let server = try await Server.start(choice.catalogue, configuration: configuration)
        let run: Run
        do {
            run = try await server.run(scenario.id, bounds: RunBounds())
        } catch let refusal as SecurityRefusal {
            return await giveUp(server, "\(scenario.id) can't be served: \(refusal)")
        } catch let refusal as HostRefusal {
            return await giveUp(server, "\(scenario.id) can't be served: \(refusal)")
        }
        let start = MonotonicClock.nanoseconds
        let outcome = try await ChildProcess(
            command: command.map { fill($0, run) }, environment: environment(of: run), timeout: timeout
        ).run(on: server)
        let milliseconds = Int((MonotonicClock.nanoseconds &- start) / 1_000_000)
        if case .notStarted(let failure) = outcome {
            return await giveUp(server, "\(command[0]) can't be run: \(failure.text)")
        }
        // What the client had begun may end; then the journal is complete.
        await run.stop(grace: .milliseconds(200))
        let snapshot = run.journal.snapshot()
        let verdict = CommandVerdict(
            scenario: scenario, item: item, wire: wireVerdict(run, snapshot, outcome), outcome: outcome,
            ignoresExit: ignoresExit, readsExit: errors != nil, milliseconds: milliseconds,
            timeline: WireTimeline(
                snapshot.entries, droppedCount: snapshot.droppedCount,
                shown: item.map { ShownFields($0) } ?? ShownFields()
            ).lines, hint: hint(run, snapshot))
        await server.stop(grace: .zero)
        output.err("\n" + verdict.text(in: output.style))
        var isWritten = true
        if let report { isWritten = report.replace(with: verdict.junit) }
        return verdict.isFailure || !isWritten ? .failure : .success
    }

    private func giveUp(_ server: Server, _ sentence: String) async -> ExitCode {
        await server.stop(grace: .zero)
        output.note(sentence)
        return .failure
    }

    private func wireVerdict(
        _ run: Run, _ snapshot: Journal.Snapshot, _ outcome: ChildProcess.Outcome
    ) -> WireVerdict {
        guard let item else {
            return WireGrader.gradeWithoutCase(
                snapshot.entries, droppedCount: snapshot.droppedCount, of: scenario)
        }
        return run.wireVerdict(of: item, result: result(of: outcome))
    }

    /// What the exit code says; nil where nobody said what codes mean, or the command did not end by itself.
    private func result(of outcome: ChildProcess.Outcome) -> CommandResult? {
        guard let errors, case .ended(.exited(let code)) = outcome else { return nil }
        return errors.result(ofExit: Int(code))
    }

    /// What may have kept the command from coming, where it was to come by a proxy.
    private func hint(_ run: Run, _ snapshot: Journal.Snapshot) -> String? {
        let proxies = ClientEnvironment(of: run, for: item).proxies
        guard let proxy = proxies.first, snapshot.entries.isEmpty else { return nil }
        return
            "nobody came: the command has to read \(proxy.name), which is \(proxy.value), and NO_PROXY and an option of its own "
            + "may override it"
    }
}

// MARK: Addresses

extension CommandRun {
    /// An origin that is misspelt must not reach the command as it stands.
    func checkMarks(in command: [String]) throws(UsageError) {
        let names = scenario.origins.map(\.name)
        for argument in command {
            var rest = argument[...]
            while let mark = rest.firstRange(of: "{{origin.") {
                rest = rest[mark.upperBound...]
                let name = rest.firstRange(of: "}}").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
                guard !names.contains(name) else { continue }
                let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
                throw UsageError(
                    "\(scenario.id) has no origin '\(name)'; \(hint ?? "it has \(names.joined(separator: ", "))")")
            }
        }
    }

    private func fill(_ argument: String, _ run: Run) -> String {
        var text = Self.replacing("{{base}}", in: argument, by: run.base)
        if let path = run.trust { text = Self.replacing("{{ca}}", in: text, by: path) }
        for (name, url) in run.origins { text = Self.replacing("{{origin.\(name)}}", in: text, by: url) }
        return text
    }

    private static func replacing(_ mark: String, in text: String, by value: String) -> String {
        guard !mark.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: mark) {
            result += rest[..<range.lowerBound] + value
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private func environment(of run: Run) -> [String: String] {
        var environment = surroundings.environment
        environment["PROCTOR_BASE"] = run.base
        environment["PROCTOR_CA"] = run.trust
        environment["PROCTOR_SCENARIO"] = scenario.id
        environment["PROCTOR_CASE"] = item?.name
        for (name, url) in run.origins { environment[ClientEnvironment.variable(ofOrigin: name)] = url }
        for (name, value) in ClientEnvironment(of: run, for: item).proxies { environment[name] = value }
        return environment
    }
}
