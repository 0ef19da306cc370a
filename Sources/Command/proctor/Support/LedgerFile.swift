internal import ProctorBase
internal import ProctorGrading

/// The ledger that an exam, or a report, writes: a new file, or one whose entries are brought up to date.
struct LedgerFile: Sendable {
    let path: String
    /// Whether the file had a ledger before the exam, by which the client is judged then.
    let isOld: Bool
    private let file: ReportFile

    init(_ path: String, flag: String = "--write-ledger", _ output: Output) throws {
        self.path = path
        file = try ReportFile(path, flag: flag, output)
        isOld = file.isRegular ? try !InputFile.bytes(of: path).isEmpty : false
        // An empty one is no ledger, and its place may be that in which the client's ledger is looked for.
        if file.isNew { try AtomicFile.remove(path) }
    }

    /// Writes what came of an exam; false after an error, which was printed.
    func write(_ report: ExamReport, _ output: Output) throws -> Bool {
        try write(client: report.client, version: report.clientVersion, output) { ledger in
            for verdict in report.verdicts { ledger.record(verdict) }
        }
    }

    /// Changes the ledger's text and writes it; false after an error, which was printed.
    func write(
        client: String, version: String?, _ output: Output, change: (inout LedgerText) -> Void
    ) throws -> Bool {
        var former: (text: String, ledger: Ledger)?
        if isOld {
            let bytes = try InputFile.bytes(of: path)
            let (ledger, diagnostics) = Ledger.parse(bytes, file: path, permitsNameless: true)
            guard let ledger, diagnostics.isEmpty else {
                output.err(diagnostics.map { "\($0)\n" }.joined())
                return false
            }
            former = (String(decoding: bytes, as: UTF8.self), ledger)
        }
        var ledger = LedgerText(former, client: client, version: version)
        change(&ledger)
        for name in ledger.removeNameless() {
            output.message("\(path): no record says what is broken in \(name), so that its entry was taken out")
        }
        output.message("\(path) has \(Plural.count(ledger.count, "deviation")) of \(client)")
        return file.replace(with: ledger.text)
    }
}
