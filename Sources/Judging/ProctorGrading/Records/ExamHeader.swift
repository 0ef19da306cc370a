/// The first line of an exam's records: client, adapter, machine and time.
package struct ExamHeader: Sendable, Equatable {
    /// The client's name in records and reports; unique in a file.
    package var client: String
    /// The client's name in its trace; nil when no trace has one.
    package var clientName: String?
    package var clientVersion: String?
    package var adapter: String?
    package var adapterVersion: String?
    /// The command of the adapter as it was given.
    package var command: String?
    /// The name of the platform with which the client was judged.
    package var platform: String
    /// The name or file of the ledger with which the client was judged; nil: none.
    package var ledger: String?
    /// Proctor's version.
    package var proctor: String
    /// Operating system and processor: `Linux x86_64`.
    package var system: String?
    /// When the exam began, as `2026-11-22T11:20:06Z`.
    package var date: String?
    /// The number of cases in the exam, run or not.
    package var caseCount: Int?
    /// `2/4`: the second of four parts of the cases; nil: all.
    package var shard: String?
    /// The ALPN name of the protocol of every origin without `protocols`; nil: HTTP/1.1.
    package var protocolName: String?
    /// A command line of the same program that shows more abilities; nil: none is known.
    package var widerCommand: String?
    /// Why the client was not run at all, a sentence; nil when it was.
    package var absence: String?

    /// The adapter of a client that is a command line.
    package static let commandLineAdapter = "command"

    package init(client: String, platform: String, proctor: String) {
        (self.client, self.platform, self.proctor) = (client, platform, proctor)
    }

    /// The name of the exam in reports: `curl 8.14.1 over h2, adapter curl 3`.
    package var title: String {
        let name = clientName.map { $0 == client ? client : "\(client) (\($0))" } ?? client
        let version = (clientVersion.map { " \($0)" } ?? "") + (protocolName.map { " over \($0)" } ?? "")
        guard let adapter else { return name + version }
        return "\(name)\(version), adapter \(adapter)\(adapterVersion.map { " \($0)" } ?? "")"
    }
}
