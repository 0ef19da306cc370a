internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario
internal import ProctorTLS

/// Loads fixtures and prints all their errors at once.
enum FixtureReport {
    /// nil after an error, which was printed.
    static func load(
        _ files: ScenarioFiles, _ output: Output, where isWanted: (String) -> Bool = { _ in true }
    ) -> LoadResult? {
        let result = files.load(where: isWanted)
        guard result.isClean else {
            say(result, output)
            return nil
        }
        return result
    }

    /// More than a catalogue has; where a wrong folder was named, it is said what is read.
    private static let manyFiles = 5_000

    /// Also looks up what the scenarios name of certificates.
    ///
    /// `folders` are those of ``CertificateLocation``. nil when anything is wrong; then it has been said.
    static func load(
        _ paths: [String], certificates folders: [String], _ output: Output
    ) -> LoadResult? {
        let files = ScenarioLoader.find(paths: paths)
        if files.ids.count > manyFiles {
            output.note("reading \(files.ids.count) files below \(paths.joined(separator: ", ")) (stop with ^C)")
        }
        let found = load(files, certificates: folders, output) { _ in true }
        return found.isClean ? found : nil
    }

    /// The valid scenarios with a wanted id, of files that were found, even if others have errors, which were printed.
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
        if !result.isClean { say(result, output) }
        return result
    }

    /// Reads the file of one scenario and no other; nil after an error, which was printed.
    ///
    /// Throws for an id that no file has. `folders` are nil where certificates do not matter.
    static func scenario(
        _ id: String, in library: FixtureLibrary, certificates folders: [String]?, _ output: Output
    ) throws(UsageError) -> Scenario? {
        let file = ScenarioLoader.find(id, in: library.paths)
        if let sentence = ReplacedScenarios.sentence(file.replaced) { output.note(sentence) }
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
        say(diagnostics, output)
        return diagnostics.isEmpty ? scenario : nil
    }

    private static func say(_ result: LoadResult, _ output: Output) {
        say(result.diagnostics, output)
        sayCounts(of: result.diagnostics, soundCount: result.scenarios.count, output)
    }

    static func sayCounts(of errors: [Diagnostic], soundCount: Int, _ output: Output) {
        let files = Set(errors.map(\.location.file)).count
        output.note(
            "\(Plural.count(errors.count, "error")) in \(Plural.count(files, "file")); "
                + "\(Plural.count(soundCount, "scenario")) without")
    }

    static func say(_ diagnostics: [Diagnostic], _ output: Output) {
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
    private let found = Locked<(catalog: CertificateCatalog, diagnostics: [Diagnostic])?>(nil)

    init(folders: [String]) {
        self.folders = folders
    }

    /// What is wrong with the profiles; empty before a scenario needed one.
    var diagnosticsOfProfiles: [Diagnostic] { found.withLock { $0?.diagnostics ?? [] } }

    /// One for each unknown name of the scenario.
    func diagnostics(_ scenario: Scenario) -> [Diagnostic] {
        guard scenario.speaksTLS else { return [] }
        let catalog = found.withLock { found in
            if let found { return found.catalog }
            let read = CertificateCatalog.load(folders: folders)
            found = read
            return read.catalog
        }
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

/// The valid scenarios of fixtures with errors, and the last valid version of the others.
struct PartialLoad {
    let scenarios: [Scenario]
    /// Scenarios that are served as they were before their file broke.
    let keptCount: Int
    /// Files with an error that were never valid, so that they are not served.
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

    /// Half a sentence about scenarios that differ from their files; empty where none does.
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

/// The case of a scenario that a command line names.
struct CaseChoice {
    let scenario: Scenario

    /// The case of that name, or the only one; one that is named must be there.
    ///
    /// nil where none is named and the scenario has another number of them than one.
    func itemIfAny(named name: String?) throws(UsageError) -> Case? {
        guard let name else { return scenario.cases.count == 1 ? scenario.cases.first : nil }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// Throws where no case is named and the scenario has not exactly one.
    func item(named name: String?) throws(UsageError) -> Case {
        if let item = try itemIfAny(named: name) { return item }
        throw UsageError("\(scenario.id) can't be judged without a case: \(hint)")
    }

    var hint: String {
        let names = scenario.cases.map(\.name)
        return names.isEmpty ? "it has no cases" : "say --case with one of \(names.joined(separator: ", "))"
    }
}
