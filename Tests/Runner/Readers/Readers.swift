extension ReaderRunner {
    /// All readers by the names that blocks have. Those of a protocol stand in a file of their own.
    static let readers: [String: DataReader] = [
        http,
        http2,
        webSocket,
        journal,
        notation,
        traces,
        document,
    ].reduce(into: [:]) { $0.merge($1) { _, last in last } }
}
