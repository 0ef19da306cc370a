import ProctorBase
public import ProctorDocument
public import ProctorScenario

/// Loads fixture files and folders; opens files, never a socket.
public enum ScenarioLoader {
    /// Loads files and, recursively, folders; reports the errors of all files.
    ///
    /// A scenario's id is its path below the given folder, without extension; the id of a file given itself is its
    /// name.
    public static func load(paths: [String]) -> LoadResult {
        find(paths: paths).load { _ in true }
    }

    /// Finds the files that `load` would read, without reading them.
    package static func find(paths: [String]) -> ScenarioFiles { findFixtures(paths.map { FixturePath($0) }) }

    package static func findFixtures(_ paths: [FixturePath]) -> ScenarioFiles { FixtureFinder.find(paths) }

    /// Finds the file of one scenario, and lists only folders on its path; without such a file, the result is empty.
    package static func find(_ id: String, in paths: [FixturePath]) -> ScenarioFiles {
        FixtureFinder.find(id, at: paths)
    }

    /// Loads one scenario from memory.
    ///
    /// `file` is its name in messages; without `folder` the scenario can't have sidecar files.
    public static func parse(
        _ bytes: [UInt8], id: String, file: String, folder: String? = nil
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        parse(bytes, id: id, file: file, folder: folder, at: .wholeFile)
    }

    /// Loads one scenario from text that stands inside the file, for messages with places in that file.
    package static func parse(
        _ bytes: [UInt8], id: String, file: String, folder: String?, at place: TextPlace
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        read(bytes, as: .inMemory(id, file: file, folder: folder), at: place)
    }

    /// Reads a scenario from values that a program made; `problems` are the errors that the program itself has found in
    /// them.
    package static func make(
        _ root: Node, id: String, folder: String?, besides problems: [Diagnostic] = []
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let sink = DiagnosticSink()
        for problem in problems { sink.add(problem) }
        let reader = ScenarioReader(
            root: root, file: .inMemory(id, file: root.location.file, folder: folder), sink: sink,
            fingerprint: Fingerprint(of: root), literals: LiteralBudget())
        let scenario = reader.scenario(from: root)
        return (sink.diagnostics.isEmpty ? scenario : nil, sink.sorted())
    }

    /// Loads one scenario from memory, without sidecar files; the summary may be missing.
    ///
    /// `madeByteLimit` bounds the bytes that are generated from the text.
    package static func parseMade(
        _ bytes: [UInt8], id: String, file: String, madeByteLimit: Int
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        read(
            bytes, as: .inMemory(id, file: file, folder: nil),
            literals: LiteralBudget(byteCount: madeByteLimit), needsSummary: false)
    }

    /// Loads the scenario of a test's stubs (``StubScenario``) from memory, as ``parseMade(_:id:file:madeByteLimit:)`` does.
    package static func parseStubs(
        _ bytes: [UInt8], id: String, file: String, madeByteLimit: Int
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        read(
            bytes, as: .inMemory(id, file: file, folder: nil),
            literals: LiteralBudget(byteCount: madeByteLimit), needsSummary: false, fixture: StubScenario.fixture)
    }

    @Sendable
    static func loadFixture(_ file: FixtureFile) -> (Scenario?, [Diagnostic]) {
        if let made = file.made { return (made, []) }
        do {
            return read(try FileBytes.read(file.path, limit: Document.Limits().byteCount), as: file)
        } catch {
            return (nil, [error])
        }
    }

    private static func read(
        _ bytes: [UInt8], as file: FixtureFile, at place: TextPlace = .wholeFile,
        literals: LiteralBudget = LiteralBudget(), needsSummary: Bool = true,
        fixture: (Node, DiagnosticSink) -> Node = { root, _ in root }
    ) -> (Scenario?, [Diagnostic]) {
        Document.read(bytes, file: file.path, at: place) { root, sink in
            let root = fixture(root, sink)
            var reader = ScenarioReader(
                root: root, file: file, sink: sink, fingerprint: Fingerprint(of: bytes), literals: literals)
            reader.needsSummary = needsSummary
            return reader.scenario(from: root)
        }
    }
}

extension ScenarioLoader {
    /// Loads the scenario of that id; lists only folders on its path, and reads no other file.
    ///
    /// When the scenario can't be loaded, the diagnostics are its errors; they are empty when no file has the id.
    public static func load(
        _ id: String, in paths: [String]
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let files = find(id, in: paths.map { FixturePath($0) })
        return files.ids.isEmpty ? (nil, []) : files.read(0)
    }

    /// The ids of all scenarios at the paths, sorted; reads no file.
    package static func ids(in paths: [String]) -> [String] {
        find(paths: paths).ids
    }
}

/// The scenarios without errors, and the errors of all files.
public struct LoadResult: Sendable {
    /// The scenarios sorted by id, without those of files with an error.
    public let scenarios: [Scenario]
    /// The errors, sorted by file and place.
    public let diagnostics: [Diagnostic]

    /// Whether all files were loaded without errors.
    public var isClean: Bool { diagnostics.isEmpty }

    /// Both must be sorted.
    package init(scenarios: [Scenario], diagnostics: [Diagnostic]) {
        (self.scenarios, self.diagnostics) = (scenarios, diagnostics)
    }
}

extension LoadResult {
    /// The scenarios; throws all diagnostics when there are any.
    public func get() throws(LoadFailure) -> [Scenario] {
        guard isClean else { throw LoadFailure(diagnostics: diagnostics) }
        return scenarios
    }
}

/// The errors of fixtures that can't be used; its description has one line for each.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// The errors, sorted by file and place; never empty.
    public let diagnostics: [Diagnostic]

    package init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// Whether the machine failed and not a file, so that reading the same files again may succeed.
    package var isTransient: Bool { diagnostics.contains { $0.isTransient } }

    /// The errors as `proctor check` prints them.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
