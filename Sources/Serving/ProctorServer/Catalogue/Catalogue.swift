internal import ProctorBase
internal import ProctorCrypto
package import ProctorFixtures
internal import ProctorReplies
public import ProctorScenario

/// All scenarios of a server, found by id; each stays as it was when it was read.
///
/// Safe from any thread.
public final class Catalogue: Sendable {
    /// All ids, sorted, with those of files that have errors.
    let ids: [String]
    /// With those of files that have errors.
    package var count: Int { ids.count }
    let table: MountTable
    let entries: CatalogueEntries
    /// Compiled at first use: most scenarios of a large catalogue are never requested.
    private let compiled: Locked<[Int: CompiledScenario]>
    private let checkHashes: CompiledScenario.HashCheck
    /// Made at the first call of ``nearestID(to:)``; nil before.
    private let nearest = Locked<NearestID?>(nil)
    private let searched = Locked<ScenarioSearch?>(nil)

    /// A catalogue of `scenarios`; ids must differ, and none may be a folder of another, which the loader guarantees.
    public convenience init(_ scenarios: [Scenario]) {
        self.init(scenarios) { wanted throws(HashRefusal) in try OpenSSLHasher().check(wanted) }
    }

    convenience init(_ scenarios: [Scenario], checkHashes: @escaping CompiledScenario.HashCheck) {
        let scenarios = scenarios.sorted { $0.id < $1.id }
        self.init(ids: scenarios.map(\.id), CatalogueEntries(scenarios), checkHashes: checkHashes)
    }

    /// A catalogue whose scenarios are read when they are first asked for.
    package convenience init(_ reader: ScenarioReading) {
        self.init(ids: reader.files.ids, CatalogueEntries(reader)) { wanted throws(HashRefusal) in
            try OpenSSLHasher().check(wanted)
        }
    }

    private init(ids: [String], _ entries: CatalogueEntries, checkHashes: @escaping CompiledScenario.HashCheck) {
        (self.checkHashes, self.ids, self.entries) = (checkHashes, ids, entries)
        table = MountTable(ids: ids)
        compiled = Locked([:])
    }

    /// All scenarios without errors, sorted by id; reads those that were not read yet, and blocks meanwhile.
    public var scenarios: [Scenario] {
        entries.readAll()
        return entries.sound
    }

    /// The scenario with that id, which is read where it was not yet; nil where the catalogue has none without errors.
    public func scenario(_ id: String) -> Scenario? {
        position(of: id).flatMap { try? entries.read($0) }
    }

    /// The most similar id, for a name that is misspelt; nil where none is similar.
    package func nearestID(to id: String) -> String? {
        nearestID(to: id.utf8)
    }

    /// The id most similar to the bytes of a request; nil where none is similar.
    func nearestID(to name: some Collection<UInt8>) -> String? {
        guard name.count <= table.longestIDByteCount + NearestName.mostEdits else { return nil }
        let nearest = nearest.withLock { kept in
            if let kept { return kept }
            let new = NearestID(ids)
            kept = new
            return new
        }
        return nearest.find(name) { ids[$0] }.map { ids[$0] }
    }

    /// A search over the scenarios and others, which is kept where there are no others; blocks while it is made.
    func search(with others: [Scenario]) -> ScenarioSearch {
        guard others.isEmpty else { return ScenarioSearch(scenarios + others) }
        if let kept = searched.withLock({ $0 }) { return kept }
        let new = ScenarioSearch(scenarios)
        searched.withLock { $0 = new }
        return new
    }

    /// Whether ids are below a folder; it has no slash at its end.
    func hasFolder(_ folder: ArraySlice<UInt8>) -> Bool {
        guard !folder.isEmpty else { return false }
        let prefix = Array(folder) + [UInt8(ascii: "/")]
        return ids.contains { $0.utf8.starts(with: prefix) }
    }

    /// The scenario of an id, or all below one that ends in a slash, sorted; empty where there is none.
    func ids(named name: String) -> [String] {
        name.hasSuffix("/") ? ids.filter { $0.hasPrefix(name) } : position(of: name) == nil ? [] : [name]
    }

    func position(of id: String) -> Int? {
        let target = Array("/\(id)".utf8)
        guard let (position, end) = table.find(target.span), end == target.count else { return nil }
        return position
    }

    /// The names of the hosts that scenarios declare; nil until every scenario was read.
    var names: CatalogueNames? { entries.names }

    /// The scenario, where it was read and has no errors.
    func sound(at position: Int) -> Scenario? {
        if case .sound(let scenario) = entries[position] { scenario } else { nil }
    }

    func compiled(_ scenario: Scenario, at position: Int) -> CompiledScenario {
        compiled.withLock { compiled in
            if let kept = compiled[position] { return kept }
            let new = CompiledScenario(scenario, checkHashes: checkHashes)
            compiled[position] = new
            return new
        }
    }
}

// Reading without blocking the caller's thread.
extension Catalogue {
    /// Reads the scenario where it was not yet; throws what is wrong with its file.
    func read(_ position: Int) async throws(LoadFailure) -> Scenario {
        switch entries[position] {
        case .sound(let scenario): return scenario
        case .broken(let failure): throw failure
        case .unread: break
        }
        let entries = entries
        return try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(LoadFailure) in
            try entries.read(position)
        }
    }

    /// Reads the scenario where it was not yet, and compiles it; throws what is wrong with its file.
    func readCompiled(_ position: Int) async throws(LoadFailure) -> CompiledScenario {
        compiled(try await read(position), at: position)
    }

    /// Returns when every scenario was read; the failure of those that could not be read now, since the machine had
    /// nothing left.
    @discardableResult
    func readAll() async -> LoadFailure? {
        guard entries.unreadCount > 0 else { return nil }
        let entries = entries
        await WorkThreads.readingAll.run(within: .ofInput) { _ in entries.readAll() }
        return entries.postponed
    }

    /// Returns the scenarios without errors whose id begins with `prefix`; throws where one can't be read now, since the
    /// machine has nothing left.
    func read(below prefix: String) async throws(LoadFailure) -> [Scenario] {
        let (ids, entries) = (ids, entries)
        return try await WorkThreads.readingAll.attempt(within: .ofInput) { _ throws(LoadFailure) in
            var scenarios: [Scenario] = []
            for position in ids.indices where ids[position].hasPrefix(prefix) {
                do throws(LoadFailure) {
                    scenarios.append(try entries.read(position))
                } catch  where error.isTransient {
                    throw error
                } catch {
                    // Its errors are told elsewhere.
                }
            }
            return scenarios
        }
    }

    /// Reads everything behind the requests of a running server, one file after the other.
    ///
    /// Ends early when cancelled, and when the server gets another catalogue.
    package func readBehind() async {
        guard entries.unreadCount > 0 else { return }
        let entries = entries
        let isCancelled = Locked(false)
        await withTaskCancellationHandler {
            await WorkThreads.readingAll.run(within: .ofInput) { _ in
                entries.readAllBehind { !isCancelled.withLock { $0 } }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// Reads again what the machine had nothing left for, until everything is read or `pause` returns false.
    ///
    /// A pause takes a second at first, and twice as long after each attempt, up to half a minute.
    package func readPostponed(pausing pause: (Duration) async -> Bool) async {
        var time = Duration.seconds(1)
        while entries.postponed != nil {
            guard await pause(time) else { return }
            await readAll()
            time = min(time * 2, .seconds(30))
        }
    }

    /// What was read so far and has no errors, sorted by id.
    package var readScenarios: [Scenario] { entries.sound }

    /// Whether every file was read.
    package var isRead: Bool { entries.unreadCount == 0 }

    /// Why files could not be read when they were last asked for, since the machine had nothing left; nil for none.
    package var postponed: LoadFailure? { entries.postponed }

    /// What is wrong with files that were read so far, by id.
    package var broken: [(id: String, failure: LoadFailure)] { entries.broken.map { (ids[$0.position], $0.failure) } }
}
