extension ReaderRunner {
    /// All readers by the names that blocks have. Those of a protocol stand in files of their own.
    static let readers: [String: DataReader] = [
        messages, addresses, dates, fields, caching, cookies, credentials, contents, digest, codings,
        records, words,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
