internal import ProctorBase
internal import ProctorCrypto
internal import ProctorReplies
internal import ProctorScenario
internal import Synchronization

/// Scenarios that control calls have added to named sets, each with a life of its own; safe from any thread.
///
/// The first segment of an id is the set. A scenario is forgotten after its life without a request or a call.
final class AddedScenarios: Sendable {
    private let state = Locked(State())
    /// Read for each request that names no scenario of the catalogue, so without the lock.
    private let presentCount = Atomic(0)
    private let makeStage: @Sendable (CompiledScenario) -> Stage

    /// The most scenarios in all sets.
    static let limit = 256
    /// The most bytes of one scenario's text.
    static let textByteLimit = 1 << 20
    /// The most bytes of all texts together.
    static let allTextByteLimit = 16 << 20
    /// The most bytes that are made of one text while it is read.
    static let madeByteLimit = 256 << 10

    struct Entry: Sendable {
        let scenario: Scenario
        let textByteCount: Int
        /// Seconds without a request or a call after which the scenario is forgotten.
        let lifeSeconds: Int
        fileprivate let compiled: CompiledScenario
        /// Made by the first request.
        fileprivate var stage: Stage?
        /// MonotonicClock nanoseconds.
        fileprivate var lastUse: UInt64

        fileprivate func isForgotten(at now: UInt64) -> Bool {
            now > lastUse && now - lastUse >= UInt64(lifeSeconds) * 1_000_000_000
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Sorted; the positions of `table`.
        var ids: [String] = []
        var table = MountTable(ids: [])
        var textByteCount = 0

        mutating func remove(_ ids: some Sequence<String>) {
            for id in ids {
                if let entry = entries.removeValue(forKey: id) { textByteCount -= entry.textByteCount }
            }
            index()
        }

        mutating func index() {
            ids = entries.keys.sorted()
            table = MountTable(ids: ids)
        }

        mutating func forget(at now: UInt64) {
            let forgotten = entries.filter { $0.value.isForgotten(at: now) }.map(\.key)
            if !forgotten.isEmpty { remove(forgotten) }
        }
    }

    enum Refusal: Error {
        case tooMany
        case tooLong
        /// The id is a scenario's, or below or above one.
        case taken(by: String)
    }

    init(makeStage: @escaping @Sendable (CompiledScenario) -> Stage) {
        self.makeStage = makeStage
    }

    private var isEmpty: Bool { presentCount.load(ordering: .acquiring) == 0 }

    private func change<Value>(_ body: (inout State) throws(Refusal) -> Value) throws(Refusal) -> Value {
        let now = MonotonicClock.nanoseconds
        let result = state.withLock { state in
            state.forget(at: now)
            let result = Result { () throws(Refusal) in try body(&state) }
            presentCount.store(state.entries.count, ordering: .releasing)
            return result
        }
        return try result.get()
    }

    /// Adds a scenario or replaces that of the same id, which begins anew; returns whether there was one.
    func add(_ scenario: Scenario, textByteCount: Int, lifeSeconds: Int, beside catalogue: Catalogue) throws(Refusal)
        -> Bool
    {
        let id = scenario.id
        if let other = catalogue.ids.first(where: { Self.collide($0, id) }) { throw .taken(by: other) }
        let compiled = CompiledScenario(scenario)
        return try change { state throws(Refusal) in
            let former = state.entries[id]
            if former == nil {
                if let other = state.ids.first(where: { Self.collide($0, id) }) { throw .taken(by: other) }
                guard state.entries.count < Self.limit else { throw .tooMany }
            }
            let byteCount = state.textByteCount - (former?.textByteCount ?? 0) + textByteCount
            guard byteCount <= Self.allTextByteLimit else { throw .tooLong }
            state.textByteCount = byteCount
            state.entries[id] = Entry(
                scenario: scenario, textByteCount: textByteCount, lifeSeconds: lifeSeconds, compiled: compiled,
                lastUse: MonotonicClock.nanoseconds)
            if former == nil { state.index() }
            return former != nil
        }
    }

    /// Whether one id is the other, or a folder of it.
    private static func collide(_ one: String, _ other: String) -> Bool {
        one == other || one.hasPrefix(other + "/") || other.hasPrefix(one + "/")
    }

    /// Removes the scenario of that id, or all of the set of that name; returns the ids, sorted.
    func remove(_ id: String) -> [String] {
        let removed = try? change { state throws(Refusal) in
            let removed = state.ids.filter { $0 == id || $0.hasPrefix(id + "/") }
            state.remove(removed)
            return removed
        }
        return removed ?? []
    }

    /// The scenarios of that id, or of the set of that name (empty: of all sets), sorted by id.
    func entries(in set: String = "") -> [Entry] {
        let entries = try? change { state throws(Refusal) in
            state.ids.filter { set.isEmpty || $0 == set || $0.hasPrefix(set + "/") }
                .compactMap { state.entries[$0] }
        }
        return entries ?? []
    }

    /// The scenario of that id, whose life is prolonged.
    func find(_ id: String) -> (entry: Entry, compiled: CompiledScenario)? {
        guard !isEmpty else { return nil }
        let now = MonotonicClock.nanoseconds
        return state.withLock { state in
            guard let entry = state.entries[id], !entry.isForgotten(at: now) else { return nil }
            state.entries[id]?.lastUse = now
            return (entry, entry.compiled)
        }
    }

    /// Whether ids are below a folder; it has no slash at its end.
    func hasFolder(_ folder: ArraySlice<UInt8>) -> Bool {
        guard presentCount.load(ordering: .acquiring) > 0, !folder.isEmpty else { return false }
        let prefix = Array(folder) + [UInt8(ascii: "/")]
        return state.withLock { $0.ids.contains { $0.utf8.starts(with: prefix) } }
    }

    /// The end of the id that a request-target begins with; nil where no scenario of a set has it.
    func endOfID(in target: Span<UInt8>) -> Int? {
        isEmpty ? nil : state.withLock { $0.table.find(target)?.end }
    }

    /// What a request-target names, at or below a scenario of a set.
    func find(_ target: Span<UInt8>) -> StandingStages.Destination {
        guard !isEmpty else { return .nothing }
        let now = MonotonicClock.nanoseconds
        return state.withLock { state in
            guard let (position, end) = state.table.find(target) else { return .nothing }
            let id = state.ids[position]
            guard let entry = state.entries[id], !entry.isForgotten(at: now) else { return .nothing }
            state.entries[id]?.lastUse = now
            guard end < target.count, target[end] == UInt8(ascii: "/") else { return .scenario(entry.scenario) }
            if let stage = entry.stage { return .added(stage, end: end) }
            guard entry.scenario.rootReason == nil else { return .elsewhere(entry.scenario) }
            if let refusal = entry.compiled.hashRefusal { return .refused(entry.scenario, refusal) }
            let stage = makeStage(entry.compiled)
            state.entries[id]?.stage = stage
            return .added(stage, end: end)
        }
    }

    /// The stages that were requested, unordered.
    var stages: [Stage] {
        isEmpty ? [] : state.withLock { $0.entries.values.compactMap(\.stage) }
    }
}
