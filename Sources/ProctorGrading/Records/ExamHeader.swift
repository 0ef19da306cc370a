/// Who sat an exam, with what, where and when: the first line of an exam's records.
package struct ExamHeader: Sendable, Equatable {
    /// The name by which records and reports call the client; unique in a file.
    package var client: String
    /// What the client calls itself, in its trace; nil where no trace said it.
    package var clientName: String?
    package var clientVersion: String?
    package var adapter: String?
    package var adapterVersion: String?
    /// The command of the adapter, as it was given.
    package var command: String?
    /// The platform that judged it, a name.
    package var platform: String
    /// The ledger that judged it, a name or a file; nil: none.
    package var ledger: String?
    /// Proctor's version.
    package var proctor: String
    /// Operating system and processor: `Linux x86_64`.
    package var system: String?
    /// When the exam began, as `2026-11-22T11:20:06Z`.
    package var date: String?
    /// How many cases the exam has, asked or not.
    package var caseCount: Int?
    /// `2/4`: the second of four parts of the cases; nil: all.
    package var shard: String?
    /// The ALPN name of what every scenario was served over; nil: HTTP/1.1, where it says nothing else itself.
    package var protocolName: String?
    /// Why the client was not asked at all, a sentence; nil where it was.
    package var absence: String?

    package init(client: String, platform: String, proctor: String) {
        self.client = client
        self.platform = platform
        self.proctor = proctor
    }

    /// As reports call the exam: `curl 8.14.1 over h2, adapter curl 3`.
    package var title: String {
        let name = clientName.map { $0 == client ? client : "\(client) (\($0))" } ?? client
        let version = (clientVersion.map { " \($0)" } ?? "") + (protocolName.map { " over \($0)" } ?? "")
        guard let adapter else { return name + version }
        return "\(name)\(version), adapter \(adapter)\(adapterVersion.map { " \($0)" } ?? "")"
    }
}
