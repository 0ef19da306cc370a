internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorTLS

/// Loads fixtures and prints all their errors at once.
enum FixtureReport {
    /// The scenarios, all of them without errors.
    static func load(
        _ files: ScenarioFiles, _ output: Output, where isWanted: (String) -> Bool = { _ in true }
    ) throws(PrintedFailure) -> LoadResult {
        let result = files.load(where: isWanted)
        guard result.isClean else {
            print(result, output)
            throw PrintedFailure()
        }
        return result
    }

    /// More files than a catalogue usually has; then the path that is read is printed, since a wrong folder may have
    /// been named.
    private static let manyFiles = 5_000

    /// Loads the paths, and looks up the certificates that the scenarios name.
    ///
    /// `folders` are those of ``CertificateLocation``.
    static func loadPaths(
        _ paths: [String], certificates folders: [String], _ output: Output
    ) throws(PrintedFailure) -> LoadResult {
        let files = ScenarioLoader.find(paths: paths)
        if files.ids.count > manyFiles {
            output.message("reading \(files.ids.count) files below \(paths.joined(separator: ", ")) (stop with ^C)")
        }
        let result = load(files, certificates: folders, output) { _ in true }
        guard result.isClean else { throw PrintedFailure() }
        return result
    }

    /// The valid scenarios with a wanted id, among files that were found; errors of others were printed.
    static func load(
        _ files: ScenarioFiles, certificates folders: [String], _ output: Output, where isWanted: (String) -> Bool
    ) -> LoadResult {
        let loaded = files.load(where: isWanted)
        let report = CertificateReport(folders: folders)
        let unknown = loaded.scenarios.flatMap(report.diagnostics)
        let files = Set(unknown.map(\.location.file))
        let result = LoadResult(
            scenarios: loaded.scenarios.filter { !files.contains($0.location.file) },
            diagnostics: (loaded.diagnostics + report.diagnosticsOfProfiles + unknown).sorted())
        if !result.isClean { print(result, output) }
        return result
    }

    /// Reads the file of one scenario and no other; `folders` are nil when certificates are not checked.
    static func scenario(
        _ id: String, in library: FixtureLibrary, certificates folders: [String]?, _ output: Output
    ) throws -> Scenario {
        let file = ScenarioLoader.find(id, in: library.paths)
        if let sentence = ReplacedScenarios.sentence(file.replaced) { output.message(sentence) }
        var scenario: Scenario?
        var diagnostics: [Diagnostic]
        if file.ids.isEmpty {
            let files = library.find()
            diagnostics = files.diagnostics
            guard !diagnostics.isEmpty else { throw library.unknown(id, among: files.ids) }
        } else {
            (scenario, diagnostics) = file.read(0)
        }
        if let scenario, let folders {
            let report = CertificateReport(folders: folders)
            diagnostics = report.diagnostics(scenario)
            diagnostics = (report.diagnosticsOfProfiles + diagnostics).sorted()
        }
        print(diagnostics, output)
        guard let scenario, diagnostics.isEmpty else { throw PrintedFailure() }
        return scenario
    }

    private static func print(_ result: LoadResult, _ output: Output) {
        print(result.diagnostics, output)
        sayCounts(of: result.diagnostics, soundCount: result.scenarios.count, output)
    }

    static func sayCounts(of errors: [Diagnostic], soundCount: Int, _ output: Output) {
        let files = Set(errors.map(\.location.file)).count
        output.message(
            "\(Plural.count(errors.count, "error")) in \(Plural.count(files, "file")); "
                + "\(Plural.count(soundCount, "scenario")) without")
    }

    static func print(_ diagnostics: [Diagnostic], _ output: Output) {
        for diagnostic in diagnostics {
            let words = diagnostic.description
            let level = "\(diagnostic.level.rawValue):"
            guard let mark = words.firstRange(ofText: ": \(level) ") else { continue }
            output.err("\(words[..<mark.lowerBound]): \(output.style.bad(level)) \(words[mark.upperBound...])\n")
        }
    }
}

/// Looks up the certificate profiles and client identities that scenarios name; safe from any thread.
///
/// The folders are read at the first scenario that speaks TLS.
final class CertificateReport: Sendable {
    private let folders: [String]
    private let known = Locked<(catalog: CertificateCatalog, diagnostics: [Diagnostic])?>(nil)

    init(folders: [String]) {
        self.folders = folders
    }

    /// The errors in the profiles; empty before a scenario needed one.
    var diagnosticsOfProfiles: [Diagnostic] { known.withLock { $0?.diagnostics ?? [] } }

    /// One error for each unknown name in the scenario.
    func diagnostics(_ scenario: Scenario) -> [Diagnostic] {
        guard scenario.speaksTLS else { return [] }
        let (catalog, failures) = known.withLock { known in
            if let known { return (known.catalog, [Diagnostic]()) }
            let read = CertificateCatalog.load(folders: folders)
            let failures = read.diagnostics.filter(\.isTransient)
            // What the machine could not read now is read again for the next scenario.
            if failures.isEmpty { known = read }
            return (read.catalog, failures)
        }
        guard failures.isEmpty else { return failures }
        return scenario.certificateNames.compactMap { mention in
            guard catalog.profiles[mention.name] == nil else { return nil }
            return diagnostic("certificate profile", mention, nearest: catalog.nearest(to: mention.name), below: "")
        }
            + scenario.identityNames.compactMap { mention in
                guard catalog.clients[mention.name] == nil else { return nil }
                return diagnostic(
                    "client identity", mention, nearest: catalog.nearestClient(to: mention.name), below: "/clients")
            }
    }

    private func diagnostic(
        _ kind: String, _ mention: Scenario.Mention, nearest: String?, below: String
    ) -> Diagnostic {
        let places = folders.map { "\($0)\(below)" }.joined(separator: ", ")
        let place =
            folders.isEmpty
            ? "there is no folder certs; name one by --certs or PROCTOR_CERTS" : "looked for in \(places)"
        return Diagnostic(
            location: mention.location, sentence: "there is no \(kind) \(quoted(mention.name))",
            hint: nearest.map { "did you mean \(quoted($0))? (\(place))" } ?? place)
    }
}

/// The valid scenarios among fixtures with errors, and the last valid version of the others.
struct PartialLoad {
    let scenarios: [Scenario]
    /// The number of scenarios that are served in an earlier version, since their files have errors.
    let keptCount: Int
    /// The number of files with errors that were never valid, and so are not served.
    let lostFileCount: Int

    /// `former` are the scenarios served so far.
    init(_ result: LoadResult, former: [Scenario]) {
        let broken = Set(result.diagnostics.map(\.location.file))
        let good = result.scenarios.filter { !broken.contains($0.location.file) }
        let taken = Set(good.map(\.id))
        let kept = former.filter { Self.concerns(broken, $0.location.file) && !taken.contains($0.id) }
        let keptFiles = Set(kept.map(\.location.file))
        scenarios = (good + kept).sorted { $0.id < $1.id }
        keptCount = kept.count
        lostFileCount = broken.count { file in !keptFiles.contains { $0 == file || $0.hasPrefix(file + "/") } }
    }

    /// Whether a file has errors, or is in an unreadable folder.
    private static func concerns(_ broken: Set<String>, _ file: String) -> Bool {
        broken.contains(file) || broken.contains { file.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    /// Half a sentence about scenarios that differ from their files; empty when none do.
    var remark: String {
        var texts: [String] = []
        if keptCount > 0 {
            texts.append("still serving the last good version of \(Plural.count(keptCount, "scenario"))")
        }
        if lostFileCount > 0 {
            texts.append("not serving \(Plural.count(lostFileCount, "file")) with errors")
        }
        return texts.isEmpty ? "" : "; " + texts.joined(separator: "; ")
    }
}

/// The case of a scenario by the command line.
struct CaseChoice {
    let scenario: Scenario

    /// The case of that name, or the only case; throws for an unknown name.
    ///
    /// nil when no name is given and the scenario has no case or several.
    func itemIfAny(named name: String?) throws(UsageError) -> Case? {
        guard let name else { return scenario.cases.count == 1 ? scenario.cases.first : nil }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// The case of that name, or the only case; throws when no name is given and the scenario has no case or several.
    func item(named name: String?) throws(UsageError) -> Case {
        if let item = try itemIfAny(named: name) { return item }
        throw UsageError("\(scenario.id) can't be judged without a case: \(hint)")
    }

    var hint: String {
        let names = scenario.cases.map(\.name)
        return names.isEmpty ? "it has no cases" : "say --case with one of \(names.joined(separator: ", "))"
    }
}
