internal import ProctorBase
package import ProctorDocument
package import ProctorFixtures
internal import ProctorReplies
package import ProctorScenario

/// How a catalogue reads its files.
package struct ScenarioReading: Sendable {
    let files: ScenarioFiles
    let check: @Sendable (Scenario) -> [Diagnostic]
    let report: @Sendable ([Diagnostic]) -> Void

    /// `check` says what is wrong with a scenario besides its file; `report` gets the errors of each file once.
    ///
    /// Both are called on several threads.
    package init(
        of files: ScenarioFiles, check: @escaping @Sendable (Scenario) -> [Diagnostic],
        report: @escaping @Sendable ([Diagnostic]) -> Void
    ) {
        (self.files, self.check, self.report) = (files, check, report)
    }

    fileprivate func read(_ position: Int) -> CatalogueEntries.Entry {
        let (scenario, errors) = files.read(position)
        let diagnostics = errors + (scenario.map(check) ?? [])
        guard let scenario, diagnostics.isEmpty else { return .broken(LoadFailure(diagnostics: diagnostics)) }
        return .sound(scenario)
    }
}

/// The scenarios of a catalogue by position, read or not yet; safe from any thread.
///
/// A file that two threads ask for at the same time is read by both, and what the first made of it counts.
final class CatalogueEntries: Sendable {
    enum Entry: Sendable {
        case unread
        case sound(Scenario)
        case broken(LoadFailure)
    }

    private struct State {
        var entries: [Entry]
        var unreadCount: Int
        /// The first position that ``readNext()`` has not taken.
        var next = 0
        var names: CatalogueNames?
        var isAbandoned = false
        /// In the order in which they were read.
        var brokenPositions: [Int] = []
        /// Why files that are still unread could not be read the last time: the machine had nothing left.
        var postponed: [Int: LoadFailure] = [:]
    }

    private let state: Locked<State>
    /// nil where nothing is left to read.
    private let reading: ScenarioReading?

    init(_ scenarios: [Scenario]) {
        reading = nil
        state = Locked(State(entries: scenarios.map { .sound($0) }, unreadCount: 0, names: CatalogueNames(scenarios)))
    }

    init(_ reading: ScenarioReading) {
        self.reading = reading
        let count = reading.files.ids.count
        state = Locked(State(entries: Array(repeating: .unread, count: count), unreadCount: count))
    }

    subscript(_ position: Int) -> Entry { state.withLock { $0.entries[position] } }

    var unreadCount: Int { state.withLock { $0.unreadCount } }

    /// In the order of their positions.
    var sound: [Scenario] {
        state.withLock { state in
            state.entries.compactMap { entry in
                if case .sound(let scenario) = entry { scenario } else { nil }
            }
        }
    }

    /// In the order of their positions.
    var broken: [(position: Int, failure: LoadFailure)] {
        state.withLock { state in
            state.brokenPositions.sorted().compactMap { position in
                if case .broken(let failure) = state.entries[position] { (position, failure) } else { nil }
            }
        }
    }

    /// Why the first of the files could not be read that the machine had nothing left for when they were last asked for;
    /// nil where there are none.
    var postponed: LoadFailure? { state.withLock { $0.postponed.min { $0.key < $1.key }?.value } }

    /// nil until everything was read.
    var names: CatalogueNames? {
        state.withLock { state in
            if let names = state.names { return names }
            guard state.unreadCount == 0 else { return nil }
            let names = CatalogueNames(
                state.entries.enumerated().lazy.compactMap { position, entry in
                    if case .sound(let scenario) = entry { (position, scenario) } else { nil }
                })
            state.names = names
            return names
        }
    }

    /// Reads the file where that was not done; blocking.
    ///
    /// After a failure that is transient the file counts as unread, and the next call reads it again.
    @discardableResult
    func read(_ position: Int) throws(LoadFailure) -> Scenario {
        var entry = self[position]
        if case .unread = entry, let reading {
            let new = reading.read(position)
            if case .broken(let failure) = new, failure.isTransient {
                try postpone(position, failure, reading)
                return try read(position)
            }
            let isFirst = state.withLock { state in
                entry = state.entries[position]
                guard case .unread = entry else { return false }
                entry = new
                state.entries[position] = new
                state.unreadCount -= 1
                state.postponed[position] = nil
                if case .broken = new { state.brokenPositions.append(position) }
                return true
            }
            if isFirst, case .broken(let failure) = entry { reading.report(failure.diagnostics) }
        }
        switch entry {
        case .sound(let scenario): return scenario
        case .broken(let failure): throw failure
        case .unread: preconditionFailure("an unread scenario without a file")
        }
    }

    /// Throws `failure` and keeps it, unless another thread has read the file meanwhile.
    ///
    /// The first of several is reported: they have the same cause.
    private func postpone(_ position: Int, _ failure: LoadFailure, _ reading: ScenarioReading) throws(LoadFailure) {
        let (isUnread, isFirst) = state.withLock { state in
            guard case .unread = state.entries[position] else { return (false, false) }
            let isFirst = state.postponed.isEmpty
            state.postponed[position] = failure
            return (true, isFirst)
        }
        if isFirst { reading.report(failure.diagnostics.filter(\.isTransient)) }
        if isUnread { throw failure }
    }

    /// Reads the next file that was not taken yet, blocking; false when there is none.
    func readNext() -> Bool {
        let position = state.withLock { state -> Int? in
            while state.next < state.entries.count {
                defer { state.next += 1 }
                if case .unread = state.entries[state.next] { return state.next }
            }
            return nil
        }
        guard let position else { return false }
        _ = try? read(position)
        return true
    }

    /// Ends ``readAllBehind(while:)``.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// Reads everything, blocking; ends early when abandoned and when `isWanted` says so.
    func readAllBehind(while isWanted: () -> Bool) {
        while isWanted(), !state.withLock({ $0.isAbandoned }) {
            if !readNext() { return readAll() }
        }
    }

    /// Reads everything, together with other threads that do; blocking.
    func readAll() {
        guard unreadCount > 0 else { return }
        while readNext() {}
        // Files that other threads have begun.
        let left = state.withLock { state in
            state.entries.indices.filter { position in
                if case .unread = state.entries[position] { true } else { false }
            }
        }
        for position in left { _ = try? read(position) }
    }
}
