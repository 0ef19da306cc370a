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
        var reader = ScenarioReader(file: file, sink: sink, fingerprint: Fingerprint(of: bytes))
        let scenario = reader.scenario(from: root)
        return (sink.diagnostics.isEmpty ? scenario : nil, sink.sorted())
    }
}
