internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorRules
internal import ProctorScenario

let gradeCommand = Command(name: "grade", fillings: { ["rules": Rules.span] }) { arguments, context in
    let path = try InputFile.tracePath(of: arguments, command: "grade")
    if arguments.has("--rules-only") { return try Grading.byRules(path, arguments, context: context) }
    return try Grading.byCase(path, arguments, context: context)
}

struct Grading {
    let scenario: Scenario
    let item: Case
    let platform: Platform
    let ledger: Ledger?

    /// Runs `grade --rules-only`.
    static func byRules(
        _ path: String, _ arguments: ParsedArguments, context: CommandContext
    ) throws -> ExitCode {
        for flag in ["--scenario", "--case", "--journal", "--base", "--ledger"] where arguments[flag] != nil {
            throw UsageError("say either --rules-only or \(flag), not both: without a case there is no use for it")
        }
        guard !arguments.has("--json") else {
            throw UsageError("--json is for the verdict of a case, not for --rules-only")
        }
        let family = try family(arguments["--family"])
        // The folder of platforms is beside the fixtures.
        let own =
            arguments["--platform"] == nil
            ? [] : try FixtureLocation(environment: context.environment).library(of: arguments).own
        let files = ClientFiles(fixturePaths: own, output: context.output)
        let platform = try files.platform(arguments["--platform"] ?? Platform.neutral.name)
        return try rules(of: path, platform, family, output: context.output)
    }

    /// Runs `grade` with the case that the flags or the header of the trace name.
    static func byCase(
        _ path: String, _ arguments: ParsedArguments, context: CommandContext
    ) throws -> ExitCode {
        guard arguments["--family"] == nil else {
            throw UsageError("--family is for --rules-only; a case says what is loaded, and by which API")
        }
        let budget = WorkBudget(stepLimit: CaseGrader.stepLimit)
        let trace = try InputFile.trace(at: path, besideJournal: arguments["--journal"], within: budget)
        guard let id = arguments["--scenario"] ?? trace.header?.scenario else {
            throw UsageError("'grade' needs --scenario ID, as the trace does not name one, or --rules-only")
        }
        let library = try FixtureLocation(environment: context.environment).library(of: arguments)
        let scenario = try FixtureReport.scenario(id, in: library, certificates: nil, context.output)
        let files = ClientFiles(fixturePaths: library.own, output: context.output)
        let judges = try files.judges(ledger: arguments["--ledger"], platform: arguments["--platform"])
        let isOfHeader = arguments["--scenario"] == nil || arguments["--scenario"] == trace.header?.scenario
        let name = arguments["--case"] ?? (isOfHeader ? trace.header?.caseName : nil)
        let choice = CaseChoice(scenario: scenario)
        let grading = Grading(
            scenario: choice.scenario, item: try choice.item(named: name), platform: judges.platform,
            ledger: judges.ledger)
        return try grading.judge(
            trace, journal: arguments["--journal"], base: arguments["--base"], asJSON: arguments.has("--json"),
            within: budget, context.output)
    }

    /// Grades a trace by the rules only, while the file is read.
    private static func rules(
        of path: String, _ platform: Platform, _ family: CallbackFamily?, output: Output
    ) throws -> ExitCode {
        var file = try InputFile(path)
        var reader = TraceReader(file: file.name)
        var checker = TraceChecker(platform: platform, family: family)
        while try file.next({ (bytes: Span<UInt8>) throws(TraceReadingError) in
            var offset = 0
            while let event = try reader.next(bytes, at: &offset) {
                if reader.eventCount == 1 {
                    if reader.format == .log { checker.expectGaps() }
                    if let header = reader.header { checker.expect(header) }
                }
                checker.observe(event)
            }
        }) {}
        if let event = try reader.finish() { checker.observe(event) }
        if let lanes = reader.header?.lanes, Set(lanes).isDisjoint(with: [.task, .protocolClient, .handler]) {
            output.message(
                "the client of \(reader.file) reports no callbacks, so there is nothing for the rules to judge")
            return .success
        }
        let report = checker.finish()
        if reader.isCut { output.message("the last line is broken off; what came before it was judged") }
        noteSkipped(reader.skippedLineCount, reader.firstSkippedLine, misspelling: reader.misspelling, output: output)
        guard reader.eventCount > 0 else {
            output.message("\(reader.file) holds no event")
            return .failure
        }
        output.line(report.text)
        let isBroken = report.grammarCount > 0 || report.hits.contains { $0.weight != .observation }
        return isBroken ? .failure : .success
    }

    /// Reports a misspelt method; other lines without a method are ignored.
    private static func noteSkipped(
        _ count: Int, _ first: Int?, misspelling: TraceReader.Misspelling?, output: Output
    ) {
        guard let first else { return }
        output.message(
            "\(Plural.count(count, "line")) without a known method, the first is line \(first)"
                + (misspelling.map { "; did '\($0.word)' in line \($0.line) mean '\($0.nearest)'?" } ?? ""))
    }

    static func family(_ name: String?) throws(UsageError) -> CallbackFamily? {
        guard let name else { return nil }
        if let family = CallbackFamily(named: name) { return family }
        let names = CallbackFamily.allCases.map(\.rawValue)
        // Each two-letter code is similar to many others, so only its letter case is corrected.
        let hint = (names + CallbackFamily.allCases.map(\.shortCode))
            .first { $0.lowercased() == name.lowercased() }.map { "did you mean '\($0)'?" }
        throw UsageError("there is no family '\(name)'; \(hint ?? "there are \(names.joined(separator: ", "))")")
    }

    func judge(
        _ trace: Trace, journal: String?, base: String?, asJSON: Bool, within budget: WorkBudget, _ output: Output
    ) throws -> ExitCode {
        if trace.isCut { output.message("the last line is broken off; what came before it was judged") }
        Self.noteSkipped(trace.skippedLineCount, trace.firstSkippedLine, misspelling: trace.misspelling, output: output)
        var evidence = CaseEvidence(trace)
        if let journal {
            let entries = try JournalLines(
                try InputFile.bytes(of: journal), file: InputFile.name(of: journal), scenario: scenario.id)
            evidence.journal = entries.entries
            evidence.droppedCount = entries.droppedCount
        }
        let context = base.map { base in
            let authority = base.firstRange(ofText: "//").map { base[$0.upperBound...].prefix { $0 != "/" } } ?? ""
            return TemplateContext(
                base: Array(base.utf8), authorities: [Array(authority.utf8)],
                schemes: scenario.origins.map(\.scheme))
        }
        let verdict = CaseGrader(
            item, scenario: scenario.id, context: context, platform: platform, ledger: ledger
        ).grade(evidence, within: budget)
        if asJSON {
            output.out(String(decoding: verdict.json, as: UTF8.self))
        } else {
            let timeline = Timeline(evidence, verdict: verdict, within: budget)
            output.line(verdict.text(around: timeline, notation: true))
        }
        return verdict.isFailure ? .failure : .success
    }
}
