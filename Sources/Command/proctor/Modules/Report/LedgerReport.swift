internal import ProctorBase
internal import ProctorGrading
internal import ProctorReport
import ProctorScenario

/// `proctor report ledger`: writes the entries of ledgers anew from records of exams.
struct LedgerReport {
    /// Whether failures without an entry get one, and clients without a ledger too.
    let addsNew: Bool
    let output: Output

    /// What is known of a client: the last record of each case over each protocol.
    private struct Client {
        var header: ExamHeader
        var order: [CaseID] = []
        var records: [CaseID: [String: CaseRecord]] = [:]
    }

    /// `operands` are the folder of the ledgers and files of records; of two records of a case over one protocol the
    /// later one counts.
    func write(_ operands: [String]) throws -> ExitCode {
        guard let folder = operands.first, operands.count > 1 else {
            throw UsageError("'report ledger' needs the folder of the ledgers and a file of records")
        }
        guard FixtureLocation.isFolder(folder) else {
            throw UsageError(
                FileKind(of: folder) == nil
                    ? "there is no folder '\(folder)' of ledgers; name the one that has them, or make it with mkdir -p '\(folder)'"
                    : "'\(folder)' is no folder; 'report ledger' takes the folder of the ledgers first, then files of records"
            )
        }
        var clients: [Client] = []
        for path in operands.dropFirst() {
            var reader = ExamRecordReader()
            try reader.read(try InputFile.bytes(of: path), file: InputFile.name(of: path))
            for exam in reader.exams where exam.header.absence == nil || !exam.cases.isEmpty {
                let index = clients.firstIndex { $0.header.client == exam.header.client } ?? clients.count
                if index == clients.count { clients.append(Client(header: exam.header)) }
                for record in exam.cases {
                    if clients[index].records[record.id] == nil { clients[index].order.append(record.id) }
                    clients[index].records[record.id, default: [:]][exam.header.protocolName ?? ""] = record
                }
            }
        }
        var isWritten = true
        for client in clients { isWritten = try write(client, in: folder) && isWritten }
        return isWritten ? .success : .failure
    }

    private func write(_ client: Client, in folder: String) throws -> Bool {
        let header = client.header
        // A ledger is named by its client, or by its file.
        let name = header.ledger?.split(separator: "/").last.map(String.init) ?? header.client
        let path = "\(folder)/\(name.hasSuffix(".yaml") ? name : "\(name).yaml")"
        guard try addsNew || ClientFiles.names(in: [folder]).contains(where: { path == "\(folder)/\($0).yaml" }) else {
            return true
        }
        let file = try LedgerFile(path, flag: "'report ledger'", output)
        var unlisted: [CaseID] = []
        let version = header.clientVersion
        let isWritten = try file.write(client: header.clientName ?? header.client, version: version, output) { ledger in
            for id in client.order {
                let records = client.records[id].map { $0.sorted { $0.key < $1.key }.map(\.value) } ?? []
                if !ledger.rewrite(id, by: records, addsNew: addsNew) { unlisted.append(id) }
            }
        }
        if let first = unlisted.first {
            let others = Plural.count(unlisted.count, "failing case")
            output.message("\(path): \(others) without an entry, such as \(first); --new writes entries of them")
        }
        return isWritten
    }
}
