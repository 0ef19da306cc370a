import ProctorBase
public import ProctorDocument

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Loads fixture files and folders; opens files, never a socket.
public enum ScenarioLoader {
    /// Loads files and, recursively, folders; reports the errors of all files.
    ///
    /// A scenario's id is its path below the given folder, without extension; the id of a file given itself is its
    /// name.
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
    /// `file` is the name in messages; without `folder` no sidecar file can be used.
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
        Document.read(bytes, file: file.path) { root, sink in
            ScenarioReader(root: root, file: file, sink: sink, fingerprint: Fingerprint(of: bytes)).scenario(from: root)
        }
    }
}

extension ScenarioLoader {
    /// Loads only the scenario of that id.
    ///
    /// When there is no scenario, the diagnostics say what is wrong with it; they are empty when no file has the id.
    public static func load(
        _ id: String, in paths: [String]
    ) -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        // Errors of other files do not matter here.
        var others: [Diagnostic] = []
        guard let file = FixtureFinder.files(at: paths, diagnostics: &others).first(where: { $0.id == id }) else {
            return (nil, [])
        }
        return load(file)
    }

    /// The sorted ids of all scenarios at the paths; reads no file.
    public static func ids(in paths: [String]) -> [String] {
        var others: [Diagnostic] = []
        return FixtureFinder.files(at: paths, diagnostics: &others).map(\.id).sorted()
    }
}

/// A fixture file that was found, and where its sidecar files may be.
struct FixtureFile {
    let id: String
    let path: String
    /// The folder of the file, for sidecar files; nil for a scenario from memory.
    let folder: String?
    /// The real path of the fixture root, which sidecar files must not leave.
    let root: String?
}

/// The scenarios without errors, and the errors of all files.
public struct LoadResult: Sendable {
    /// Sorted by id; without files that have an error.
    public let scenarios: [Scenario]
    /// Sorted by file and place.
    public let diagnostics: [Diagnostic]

    /// Whether all files were loaded without errors.
    public var isClean: Bool { diagnostics.isEmpty }

    /// Both must be sorted.
    package init(scenarios: [Scenario], diagnostics: [Diagnostic]) {
        self.scenarios = scenarios
        self.diagnostics = diagnostics
    }
}

extension LoadResult {
    /// The scenarios; throws all diagnostics when there are any.
    public func get() throws(LoadFailure) -> [Scenario] {
        guard isClean else { throw LoadFailure(diagnostics: diagnostics) }
        return scenarios
    }
}

/// Fixtures that can't be used; prints one message for each line.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// By file and place; never empty.
    public let diagnostics: [Diagnostic]

    /// As `proctor check` prints them.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// Spreads independent work over threads that end before the call returns.
enum Workers {
    /// Items for a thread at a time; fewer items need no further thread.
    private static let batchSize = 128
    private static let mostThreads = 8

    /// In the order of the items; `transform` runs on several threads.
    static func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ transform: @escaping @Sendable (Item) -> Result
    ) -> [Result] {
        let batches = (items.count + batchSize - 1) / batchSize
        let next = Locked(0)
        let finished = Locked<[Int: [Result]]>([:])
        let work: @Sendable () -> Void = {
            while true {
                let batch = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard batch < batches else { return }
                let range = batch * batchSize..<min((batch + 1) * batchSize, items.count)
                let results = items[range].map(transform)
                finished.withLock { $0[batch] = results }
            }
        }
        let helpers = max(0, min(processorCount, mostThreads, batches) - 1)
        let threads = (0..<helpers).compactMap { _ in WorkerThread(work) }
        work()
        for thread in threads { thread.join() }
        return finished.withLock { finished in (0..<batches).flatMap { finished[$0] ?? [] } }
    }

    private static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
