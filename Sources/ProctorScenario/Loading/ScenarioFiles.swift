import ProctorBase
package import ProctorDocument

/// A fixture file that was found, and where its sidecar files may be.
struct FixtureFile {
    let id: String
    let path: String
    /// The folder of the file, for sidecar files; nil for a scenario from memory.
    let folder: String?
    /// The real path of the fixture root, which sidecar files must not leave.
    let root: String?
    /// That of its path.
    var rank = 0
    /// The scenario of a file that is none, because a program made it.
    var made: Scenario?

    /// No file: `file` is its name in messages, and sidecar files stand in `folder`.
    static func inMemory(_ id: String, file: String, folder: String?) -> FixtureFile {
        FixtureFile(id: id, path: file, folder: folder, root: folder.flatMap(FileBytes.realPath))
    }
}

/// Scenario files that were found, to be read one by one or together; a file may change until it is read.
package struct ScenarioFiles: Sendable {
    /// Sorted, each once.
    package let ids: [String]
    /// What is wrong with the paths and the names, sorted.
    ///
    /// The files' own errors are found when they are read.
    package let diagnostics: [Diagnostic]
    /// Scenarios in whose place one of a path with a lower rank stands, by id.
    package let replaced: [Replacement]
    /// In the order of the ids.
    private let files: [FixtureFile]

    /// A scenario that is left out.
    package struct Replacement: Sendable, Equatable {
        package let id: String
        /// Its file.
        package let path: String
        /// The file in its place.
        package let successor: String
    }

    /// The files must be sorted by id.
    init(files: [FixtureFile], diagnostics: [Diagnostic], replaced: [Replacement] = []) {
        self.files = files
        ids = files.map(\.id)
        self.diagnostics = diagnostics.sorted()
        self.replaced = replaced.sorted { $0.id < $1.id }
    }

    /// The ids of the paths with that rank.
    package func ids(ofRank rank: Int) -> [String] { files.filter { $0.rank == rank }.map(\.id) }

    /// Adds a scenario that a program made; one with the same id takes the place of a file.
    package func adding(_ scenario: Scenario) -> ScenarioFiles {
        var made = FixtureFile.inMemory(scenario.id, file: scenario.location.file, folder: nil)
        made.made = scenario
        let others = files.filter { $0.id != scenario.id }
        return ScenarioFiles(
            files: (others + [made]).sorted { $0.id < $1.id }, diagnostics: diagnostics, replaced: replaced)
    }

    /// Reads one file, blocking; nil with at least one diagnostic.
    package func read(_ position: Int) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let (scenario, diagnostics) = ScenarioLoader.load(files[position])
        return (diagnostics.isEmpty ? scenario : nil, diagnostics)
    }

    /// Reads those files by several threads; the diagnostics are of these files, and of the paths and names.
    package func load(where isWanted: (String) -> Bool) -> LoadResult {
        let wanted = files.filter { isWanted($0.id) }
        var diagnostics = diagnostics
        var scenarios: [Scenario] = []
        scenarios.reserveCapacity(wanted.count)
        for (scenario, found) in Workers.map(wanted, ScenarioLoader.load) {
            diagnostics += found
            if let scenario { scenarios.append(scenario) }
        }
        return LoadResult(scenarios: scenarios, diagnostics: diagnostics.sorted())
    }
}
