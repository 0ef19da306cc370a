import ProctorBase
package import ProctorDocument
package import ProctorScenario

/// A fixture file that was found, and where its sidecar files may be.
struct FixtureFile {
    let id: String
    let path: String
    /// The folder of the file, for sidecar files; nil for a scenario from memory.
    let folder: String?
    /// The real path of the fixture root, which sidecar files must not leave.
    let root: String?
    /// The rank of the path at which the file was found.
    var rank = 0
    /// A scenario that a program made, for which no file is read.
    var made: Scenario?

    /// A scenario without a file: `file` is its name in messages, and `folder` has its sidecar files.
    static func inMemory(_ id: String, file: String, folder: String?) -> FixtureFile {
        FixtureFile(id: id, path: file, folder: folder, root: folder.flatMap(FileBytes.realPath))
    }
}

/// Scenario files that were found and are read later, one by one or together; a file may change until it is read.
package struct ScenarioFiles: Sendable {
    /// The ids, sorted and without repetitions.
    package let ids: [String]
    /// The errors in paths and names, sorted.
    ///
    /// Errors inside the files are found when the files are read.
    package let diagnostics: [Diagnostic]
    /// Scenarios that one from a path with a lower rank replaces, sorted by id.
    package let replaced: [Replacement]
    /// The files, sorted by id.
    private let files: [FixtureFile]

    /// A scenario that another one replaces.
    package struct Replacement: Sendable, Equatable {
        package let id: String
        /// The file that is not loaded.
        package let path: String
        /// The file that is loaded in its place.
        package let successor: String
    }

    /// The files must be sorted by id.
    init(files: [FixtureFile], diagnostics: [Diagnostic], replaced: [Replacement] = []) {
        self.files = files
        ids = files.map(\.id)
        self.diagnostics = diagnostics.sorted()
        self.replaced = replaced.sorted { $0.id < $1.id }
    }

    /// The ids of scenarios from paths with that rank.
    package func ids(ofRank rank: Int) -> [String] { files.filter { $0.rank == rank }.map(\.id) }

    /// Adds a scenario that a program made; it replaces a file with the same id.
    package func adding(_ scenario: Scenario) -> ScenarioFiles {
        var made = FixtureFile.inMemory(scenario.id, file: scenario.location.file, folder: nil)
        made.made = scenario
        let others = files.filter { $0.id != scenario.id }
        return ScenarioFiles(
            files: (others + [made]).sorted { $0.id < $1.id }, diagnostics: diagnostics, replaced: replaced)
    }

    /// Reads one file, blocking; nil with at least one diagnostic.
    package func read(_ position: Int) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let (scenario, diagnostics) = ScenarioLoader.loadFixture(files[position])
        return (diagnostics.isEmpty ? scenario : nil, diagnostics)
    }

    /// Reads those files on several threads; the diagnostics are about these files, and about paths and names.
    package func load(where isWanted: (String) -> Bool) -> LoadResult {
        let wanted = files.filter { isWanted($0.id) }
        var diagnostics = diagnostics
        var scenarios: [Scenario] = []
        scenarios.reserveCapacity(wanted.count)
        for (scenario, found) in Workers.map(wanted, ScenarioLoader.loadFixture) {
            diagnostics += found
            if let scenario { scenarios.append(scenario) }
        }
        return LoadResult(scenarios: scenarios, diagnostics: diagnostics.sorted())
    }
}
