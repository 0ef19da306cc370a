import ProctorBase

/// The keys of one table, in the order in which they are made, which is that of their properties.
///
/// A mirror of the keys would tell the same, and cost a third of the time in which a program starts.
final class RowCollector: Sendable {
    @TaskLocal private static var current: RowCollector?

    private let rows = Locked<[Row]>([])
    private let plainKeys = Locked<[any Sendable]>([])

    /// Makes a struct of keys, and tells which rows, and which plain keys, were made for it.
    static func collect<Keys>(_ make: () -> Keys) -> (keys: Keys, rows: [Row], plainKeys: [any Sendable]) {
        let collector = RowCollector()
        let keys = $current.withValue(collector, operation: make)
        return (keys, collector.rows.withLock(\.self), collector.plainKeys.withLock(\.self))
    }

    /// Counts a row to the table whose keys are made now, if any.
    ///
    /// The key itself is not kept: a box for it would need the metadata of its type, which takes as long to make as reading a
    /// small fixture.
    static func add(_ row: Row) { current?.rows.withLock { $0.append(row) } }

    /// Counts a key whose value is stored without a change.
    static func add<Model>(_ key: PlainKey<Model>) {
        add(key.row)
        current?.plainKeys.withLock { $0.append(key) }
    }
}

/// A key of another table, or one that several tables share, as a key of the table whose keys are made now.
package func borrowed<Holder: RowHolder>(_ make: @autoclosure () -> Holder) -> Holder {
    let key = RowCollector.collect(make).keys
    key.addToTable()
    return key
}
