internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer

/// Runs a command against a scenario and judges what it put on the wire.
let runCommand = Command(
    name: "run", operands: "ID [--case NAME] [--errors NAME] [--fixtures PATH] -- COMMAND [ARGUMENT ...]",
    summary: "Runs a command against a scenario, and exits by the verdict on its requests",
    discussion: """
        The scenario gets a run of its own. COMMAND finds its addresses in the environment, as PROCTOR_BASE and
        PROCTOR_ORIGIN_NAME for each origin, and in its arguments in place of {{base}} and {{origin.NAME}}; where it has
        https, the certificate to trust as PROCTOR_CA and {{ca}}. Where the case is about a proxy, or its hosts have names,
        http_proxy and https_proxy lead there; nothing else would find them.
        When it has ended, the requests are judged by the case: --case NAME, or the only one there is.
        What COMMAND made of the reply is not known, unless its exit code says it: --errors curl, or a file, has the codes.
        A case that says more than could be judged is 'partly'.
        Exits 0 when what was judged passes (or nothing is asked), 1 when it fails or nothing could be judged, whatever
        COMMAND itself exited with.
        """,
    flags: [
        Flag("--case", "NAME", "the case to judge by"),
        Flag("--errors", "NAME", "what exit codes mean: a name in clients/errors/, or a file"),
        Flag("--fixtures", "PATH", "where scenarios stand; see 'proctor help check' for the default"),
    ] + AuthorityOptions.flags
) { arguments, surroundings in
    guard arguments.operands.count >= 2, let id = arguments.operands.first else {
        throw UsageError("'run' takes an ID and a command: proctor run plain/get -- curl {{base}}/hello")
    }
    let location = FixtureLocation(environment: surroundings.environment)
    let paths = try location.paths(named: arguments["--fixtures"].map { [$0] } ?? [])
    let authority = try AuthorityOptions(arguments, fixturePaths: paths, environment: surroundings.environment)
    guard let loaded = FixtureReport.load(paths, certificates: authority.folders, surroundings.output)?.loaded else {
        return .failure
    }
    var exam = try Exam(
        scenarios: loaded.scenarios, id: id, caseName: arguments["--case"], authority: authority,
        surroundings: surroundings)
    if let name = arguments["--errors"] {
        guard let table = try ClientFiles(fixturePaths: paths, output: surroundings.output).errors(name) else {
            return .failure
        }
        exam.errors = table
    }
    return try await exam.sit(Array(arguments.operands.dropFirst()))
}

/// One sitting: a server, a run, the client's process, the verdict.
struct Exam {
    private let catalogue: Catalogue
    let scenario: Scenario
    let item: Case
    /// nil for one that is judged and never sat.
    private let authority: AuthorityOptions?
    private let surroundings: Surroundings
    /// What exit codes say of the command's load; nil: nothing.
    var errors: ErrorTable?

    init(
        scenarios: [Scenario], id: String, caseName: String?, authority: AuthorityOptions? = nil,
        surroundings: Surroundings
    ) throws(UsageError) {
        self.authority = authority
        catalogue = Catalogue(scenarios)
        guard let scenario = catalogue.scenario(id) else {
            let hint = catalogue.nearestID(to: id).map { "did you mean '\($0)'?" }
            throw UsageError("there is no scenario '\(id)'; \(hint ?? "see 'proctor list'")")
        }
        self.scenario = scenario
        item = try Self.pick(caseName, of: scenario)
        self.surroundings = surroundings
    }

    private static func pick(_ name: String?, of scenario: Scenario) throws(UsageError) -> Case {
        let names = scenario.cases.map(\.name)
        guard let name else {
            if let only = scenario.cases.first, names.count == 1 { return only }
            let choice = names.isEmpty ? "it has no cases" : "say --case with one of \(names.joined(separator: ", "))"
            throw UsageError("\(scenario.id) can't be judged without a case: \(choice)")
        }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw UsageError(error.description)
        }
    }

    func sit(_ command: [String]) async throws -> ExitCode {
        let output = surroundings.output
        try checkMarks(in: command)
        var configuration = ServerConfiguration()
        authority?.apply(to: &configuration)
        let server = try await Server.start(catalogue, configuration: configuration)
        let run: Run
        do {
            run = try await server.run(scenario.id, bounds: RunBounds())
        } catch let refusal as SecurityRefusal {
            await server.stop(grace: .zero)
            output.note("\(scenario.id) can't be served: \(refusal)")
            return .failure
        } catch let refusal as HostRefusal {
            await server.stop(grace: .zero)
            output.note("\(scenario.id) can't be served: \(refusal)")
            return .failure
        }
        let outcome = try await ChildProcess(
            command: command.map { fill($0, run) }, environment: environment(of: run)
        ).run(on: server)
        if case .notStarted(let failure) = outcome {
            await server.stop(grace: .zero)
            output.note("\(command[0]) can't be run: \(failure.text)")
            return .failure
        }
        // What the client had begun may end; then the journal is complete.
        let verdict = await stop(run, server, result(of: outcome))
        output.err("\n" + report(verdict, run, outcome))
        switch verdict.outcome {
        case .pass, .partly, .observed: return .success
        case .fail, .notJudged, .setupFailed: return .failure
        }
    }

    /// What the exit code says; nil where nobody said what codes mean, or the command did not end by itself.
    private func result(of outcome: ChildProcess.Outcome) -> CommandResult? {
        guard let errors, case .ended(.exited(let code)) = outcome else { return nil }
        return errors.result(ofExit: Int(code))
    }

    private func stop(_ run: Run, _ server: Server, _ result: CommandResult?) async -> WireVerdict {
        await run.stop(grace: .milliseconds(200))
        let verdict = run.wireVerdict(of: item, result: result)
        await server.stop(grace: .zero)
        return verdict
    }

    /// An origin that is misspelt must not reach the command as it stands.
    private func checkMarks(in command: [String]) throws(UsageError) {
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
        environment["PROCTOR_CASE"] = item.name
        for (name, url) in run.origins { environment[ClientEnvironment.variable(ofOrigin: name)] = url }
        for (name, value) in ClientEnvironment(of: run, for: item).proxies { environment[name] = value }
        return environment
    }

    private func report(_ verdict: WireVerdict, _ run: Run, _ outcome: ChildProcess.Outcome) -> String {
        let style = surroundings.output.style
        var lines = ["\(scenario.id)#\(item.name) (\(item.kind.rawValue)), and the command \(outcome.phrase)", ""]
        lines += WireTimeline(run.journal.snapshot().entries).lines.map { "  \($0)" }
        let text = verdict.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let word = text[0]
        lines +=
            ["", ["pass", "partly", "observed"].contains(word) ? style.good(word) : style.bad(word)] + text.dropFirst()
        if let hint = hint(run) { lines += ["", hint] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What may have kept the command from coming, where it was to come by a proxy.
    private func hint(_ run: Run) -> String? {
        let proxies = ClientEnvironment(of: run, for: item).proxies
        guard let proxy = proxies.first, run.journal.snapshot().entries.isEmpty else { return nil }
        return
            "nobody came: the command has to read \(proxy.name), which is \(proxy.value), and NO_PROXY and an option of its own "
            + "may override it"
    }
}
