public import ProctorDocument

/// Loads fixture files and folders; touches files, never a socket.
public enum ScenarioLoader {
    /// Loads files and, recursively, folders; reports the errors of all files at once.
    ///
    /// A scenario's id is its path below the folder that was named, without extension; a file that is named itself has
    /// its name as id.
    public static func load(paths: [String]) -> LoadResult {
        var diagnostics: [Diagnostic] = []
        var scenarios: [Scenario] = []
        let files = FixtureFinder.files(at: paths, diagnostics: &diagnostics)
        for (scenario, found) in Workers.map(files, load) {
            diagnostics += found
            if let scenario { scenarios.append(scenario) }
        }
        return LoadResult(scenarios: scenarios.sorted { $0.id < $1.id }, diagnostics: diagnostics.sorted())
    }

    /// Loads one scenario from memory.
    ///
    /// `file` is the name that messages use; without `folder` no sidecar file can be named.
    public static func parse(
        _ bytes: [UInt8], id: String, file: String, folder: String? = nil
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        read(bytes, as: FixtureFile(id: id, path: file, folder: folder, root: folder.flatMap(FileBytes.realPath)))
    }

    @Sendable
    static func load(_ file: FixtureFile) -> (Scenario?, [Diagnostic]) {
        do {
            return read(try FileBytes.read(file.path, limit: Document.Limits().byteCount), as: file)
        } catch {
            return (nil, [error])
        }
    }

    private static func read(_ bytes: [UInt8], as file: FixtureFile) -> (Scenario?, [Diagnostic]) {
        let document = Document.parse(bytes, file: file.path)
        guard let root = document.root else { return (nil, document.diagnostics) }
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.report(diagnostic) }
        let reader = ScenarioReader(root: root, file: file, sink: sink, fingerprint: Fingerprint(of: bytes))
        let scenario = reader.scenario(from: root)
        return (sink.diagnostics.isEmpty ? scenario : nil, sink.sorted())
    }
}

extension ScenarioLoader {
    /// Loads the scenario of that id, where the paths have it, and reads no other scenario.
    ///
    /// Without a scenario the diagnostics say what is wrong with it; where none has the id there are none.
    public static func load(
        _ id: String, in paths: [String]
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        // What is wrong with other files is not this one's business.
        var others: [Diagnostic] = []
        guard let file = FixtureFinder.files(at: paths, diagnostics: &others).first(where: { $0.id == id }) else {
            return (nil, [])
        }
        return load(file)
    }

    /// The ids of all scenarios at the paths, sorted; no file is read.
    public static func ids(in paths: [String]) -> [String] {
        var others: [Diagnostic] = []
        return FixtureFinder.files(at: paths, diagnostics: &others).map(\.id).sorted()
    }
}

/// A fixture file that was found, and where its sidecar files may be.
struct FixtureFile {
    let id: String
    /// As the user would name it.
    let path: String
    /// That the file is in, for sidecar files; nil for a scenario from memory.
    let folder: String?
    /// The real path of the fixture root, which sidecar files must not leave.
    let root: String?
}

/// What loading found: scenarios without errors, and the errors of all files.
public struct LoadResult: Sendable {
    /// By id; a file with an error is left out.
    public let scenarios: [Scenario]
    /// By file and place.
    public let diagnostics: [Diagnostic]

    /// Whether everything that was named could be loaded.
    public var isClean: Bool { diagnostics.isEmpty }

    /// Both sorted already.
    public init(scenarios: [Scenario], diagnostics: [Diagnostic]) {
        self.scenarios = scenarios
        self.diagnostics = diagnostics
    }
}

extension LoadResult {
    /// The scenarios, if nothing at all is wrong; else all that is wrong is thrown, for a test to show.
    public func get() throws(LoadFailure) -> [Scenario] {
        guard isClean else { throw LoadFailure(diagnostics: diagnostics) }
        return scenarios
    }
}

/// Fixtures that can't be used, and why; prints one message a line.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// By file and place; never empty.
    public let diagnostics: [Diagnostic]

    /// As `proctor check` prints them.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
