extension ReaderRunner {
    /// All readers by the names that blocks have; those of a protocol stand in files of their own.
    static let readers: [String: DataReader] = [
        messages, addresses, hosts, dates, fields, caching, cookies, credentials, contents, digest, nonces, codings,
        http2, http3, quic, webSocket, journal, notation, traces, document, records, words, deadlines, values, kept,
        site,
        socks,
        dns, tlsWire, ntlm, negotiate, schemas, texts, scripts, base, json, assignments, certificates, digestAnswers,
        codingSteps, archives, protobuf, matching, notes, origins,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
