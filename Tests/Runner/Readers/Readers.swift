extension ReaderRunner {
    /// All readers by the names that blocks have; those of a protocol stand in files of their own.
    static let readers: [String: DataReader] = [
        messages, addresses, dates, fields, caching, cookies, credentials, contents, digest, codings, http2, webSocket,
        journal, notation, traces, document, records, words, matching, notes,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
