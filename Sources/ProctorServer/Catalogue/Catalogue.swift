internal import ProctorBase
internal import ProctorCrypto
public import ProctorScenario

/// All scenarios of a server, found by id; immutable.
public final class Catalogue: Sendable {
    /// All scenarios, sorted by id.
    public let scenarios: [Scenario]
    let table: MountTable
    let names: CatalogueNames
    /// Compiled at first use: most scenarios of a large catalogue are never requested.
    private let compiled: Locked<[Int: CompiledScenario]>
    private let checkHashes: CompiledScenario.HashCheck
    /// Made at the first call of ``nearestID(to:)``; nil before.
    private let nearest = Locked<NearestID?>(nil)

    /// A catalogue of `scenarios`; ids must differ, and none may be a folder of another, which the loader guarantees.
    public convenience init(_ scenarios: [Scenario]) {
        self.init(scenarios) { wanted throws(HashRefusal) in try OpenSSLHasher().check(wanted) }
    }

    init(_ scenarios: [Scenario], checkHashes: @escaping CompiledScenario.HashCheck) {
        self.checkHashes = checkHashes
        self.scenarios = scenarios.sorted { $0.id < $1.id }
        table = MountTable(ids: self.scenarios.map(\.id))
        names = CatalogueNames(self.scenarios)
        compiled = Locked([:])
    }

    /// The scenario with that id; nil where the catalogue has none.
    public func scenario(_ id: String) -> Scenario? {
        position(of: id).map { scenarios[$0] }
    }

    /// The most similar id, for a name that is misspelt; nil where none is similar.
    public func nearestID(to id: String) -> String? {
        nearestID(to: id.utf8)
    }

    /// The same for the bytes of a request.
    func nearestID(to name: some Collection<UInt8>) -> String? {
        guard name.count <= table.longestIDByteCount + NearestName.mostEdits else { return nil }
        let nearest = nearest.withLock { kept in
            if let kept { return kept }
            let new = NearestID(scenarios.lazy.map(\.id))
            kept = new
            return new
        }
        return nearest.find(name) { scenarios[$0].id }.map { scenarios[$0].id }
    }

    func position(of id: String) -> Int? {
        let target = Array("/\(id)".utf8)
        guard let (position, end) = table.find(target.span), end == target.count else { return nil }
        return position
    }

    func compiled(at position: Int) -> CompiledScenario {
        compiled.withLock { compiled in
            if let kept = compiled[position] { return kept }
            let new = CompiledScenario(scenarios[position], checkHashes: checkHashes)
            compiled[position] = new
            return new
        }
    }
}
