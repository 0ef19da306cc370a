import ProctorBase
import ProctorDocument

/// The guards of one file, those with names first.
///
/// A reference, because guards stand in many places; for one thread at a time.
final class GuardTable {
    /// What is known of one guard.
    struct Row {
        let name: String
        /// Where a message says that it is there.
        let node: Node
        /// nil until it is read, and after a diagnostic.
        var value: Guard?
        var isUsed = false
    }

    private(set) var rows: [Row] = []

    /// By index.
    var names: [String] { rows.map(\.name) }

    /// By index; whole when nothing was reported.
    var all: [Guard] { rows.compactMap(\.value) }

    /// Takes a place for a guard and returns its index.
    func add(_ name: String, at node: Node) -> Int {
        rows.append(Row(name: name, node: node))
        return rows.count - 1
    }

    /// `index` comes from `add`.
    func set(_ value: Guard?, at index: Int) { rows[index].value = value }

    /// Somebody asks for it; returns what was read.
    func use(_ index: Int) -> Guard? {
        guard rows.indices.contains(index) else { return nil }
        rows[index].isUsed = true
        return rows[index].value
    }
}

/// The guards of every exchange that says nothing itself.
///
/// A reference, because exchanges tell that they have asked; for one thread at a time.
final class UsualGuards {
    private let indexes: [Int]
    private(set) var isUsed = false

    init(_ indexes: [Int]) { self.indexes = indexes }

    /// Indexes into the guards.
    func use() -> [Int] {
        isUsed = true
        return indexes
    }
}
