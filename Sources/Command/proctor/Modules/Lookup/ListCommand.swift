internal import ProctorBase
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorServer

let listCommand = Command(name: "list", fillings: { ["names": NameKind.words] }) { arguments, context in
    let forms = [
        arguments.has("--all"), arguments.has("--json"), arguments.has("--ids"), arguments["--cases-of"] != nil,
    ]
    guard forms.count(where: \.self) <= 1 else { throw UsageError("say one of --all, --json, --ids and --cases-of") }
    let location = FixtureLocation(environment: context.environment)
    if let kind = arguments["--names"].flatMap(NameKind.init) {
        let names = try kind.names(beside: try location.library(of: arguments), environment: context.environment)
        for name in names { context.output.line(name) }
        return .success
    }
    var listing = Listing(library: try location.library(of: arguments), output: context.output)
    // A shell's completion passes an empty word when there is no operand.
    try listing.choose(arguments.operands.filter { !$0.isEmpty })
    if arguments.has("--ids") {
        for id in listing.ids { context.output.line(id) }
        return .success
    }
    if let id = arguments["--cases-of"] { return try listing.writeCases(of: id) }
    if arguments.operands.isEmpty, forms.allSatisfy({ !$0 }) { return listing.writeFamilies() }
    let result = try FixtureReport.load(listing.files, context.output, where: Set(listing.ids).contains)
    if arguments.has("--json") {
        for scenario in result.scenarios { context.output.line(json(scenario)) }
    } else {
        ScenarioLines(output: context.output).write(result.scenarios)
    }
    return .success
}

/// The scenarios that a command lists.
private struct Listing {
    var library: FixtureLibrary
    let output: Output
    private(set) var files: ScenarioFiles
    private(set) var ids: [String]

    /// The most of the user's own scenarios that are listed one by one; with more, families are listed.
    private static let fewScenarios = 20

    init(library: FixtureLibrary, output: Output) {
        (self.library, self.output) = (library, output)
        files = library.find()
        ids = files.ids
    }

    /// Selects the scenarios that the operands name: ids and families of the library, or else files and folders.
    mutating func choose(_ operands: [String]) throws(UsageError) {
        guard !operands.isEmpty else { return }
        let paths = operands.filter { FileKind(of: $0) != nil && isPath($0) }
        if paths.count == operands.count {
            library = FixtureLibrary(own: paths, shipped: nil)
            files = library.find()
            ids = files.ids
            return
        }
        for operand in operands where CaseSelection.idCount(naming: operand, among: ids) == 0 {
            let families = Set(ids.filter { $0.contains("/") }.map { "\($0.prefix { $0 != "/" })/" })
            let hint = NearestName.hint(
                for: operand, in: families.sorted() + ids, else: "'proctor search' finds scenarios by words")
            throw UsageError(
                "there is no family, scenario, file or folder '\(operand)'; \(hint) (looked in \(library.places))")
        }
        ids = ids.filter { !CaseSelection.positions(naming: $0, in: operands).isEmpty }
    }

    private func isPath(_ operand: String) -> Bool {
        CaseSelection.idCount(naming: operand, among: ids) == 0 || operand.hasPrefix(".") || operand.hasPrefix("/")
    }

    func writeFamilies() -> ExitCode {
        for diagnostic in files.diagnostics { output.err("\(diagnostic)\n") }
        guard files.diagnostics.isEmpty else { return .failure }
        let lines = ScenarioLines(output: output)
        let own = library.own.isEmpty ? [] : files.ids(ofRank: 0)
        if let sentence = ReplacedScenarios.sentence(files.replaced) { output.message(sentence) }
        if !library.own.isEmpty {
            output.line("\(Plural.count(own.count, "scenario")) in \(library.own.joined(separator: ", ")):")
            if own.count <= Self.fewScenarios,
                let result = try? FixtureReport.load(files, output, where: Set(own).contains)
            {
                for scenario in result.scenarios { lines.write("  \(scenario.id)", scenario.summary, column: 30) }
            } else {
                lines.writeFamilies(of: own)
            }
        }
        if library.shipped != nil {
            let shipped = library.own.isEmpty ? files.ids : files.ids(ofRank: 1)
            output.line("\(Plural.count(shipped.count, "scenario")) that come with proctor:")
            lines.writeFamilies(of: shipped)
        }
        output.line("proctor list FAMILY/ lists a family, proctor search WORDS finds scenarios")
        return .success
    }

    func writeCases(of id: String) throws(UsageError) -> ExitCode {
        let file = ScenarioLoader.find(id, in: library.paths)
        guard !file.ids.isEmpty else { throw library.unknown(id, among: ids) }
        let (scenario, diagnostics) = file.read(0)
        for diagnostic in diagnostics { output.err("\(diagnostic)\n") }
        guard let scenario else { return .failure }
        for item in scenario.sittings { output.line(item.name) }
        return .success
    }
}

private func json(_ scenario: Scenario) -> String {
    var json = JSONText()
    json.object { json in
        json.member("id", scenario.id)
        json.member("summary", scenario.summary)
        json.texts("spec", scenario.spec)
        json.member("file", scenario.location.file)
        json.member("needsRoot", scenario.rootReason != nil)
        json.objects("cases", of: scenario.sittings) { json, item in
            json.member("name", item.name)
            json.member("kind", item.kind.rawValue)
        }
    }
    return String(decoding: json.bytes, as: UTF8.self)
}
