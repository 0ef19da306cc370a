internal import ProctorBase
internal import ProctorGrading
internal import ProctorReport

/// The ledger that an exam writes: a new file, or one whose entries are brought up to date.
struct LedgerFile: Sendable {
    let path: String
    /// Whether the file had a ledger before the exam, by which the client is judged then.
    let isOld: Bool
    private let file: ReportFile

    /// nil when the path can't be written, and the error was printed.
    init?(_ path: String, _ output: Output) throws {
        guard let file = ReportFile.tried(path, flag: "--write-ledger", output) else { return nil }
        self.path = path
        self.file = file
        isOld = file.isRegular ? try !InputFile.bytes(of: path).isEmpty : false
    }

    /// Writes what came of an exam; false after an error, which was printed.
    func write(_ report: ExamReport, _ output: Output) throws -> Bool {
        var former: (text: String, ledger: Ledger)?
        if isOld {
            let bytes = try InputFile.bytes(of: path)
            let (ledger, diagnostics) = Ledger.parse(bytes, file: path)
            guard let ledger, diagnostics.isEmpty else {
                output.err(diagnostics.map { "\($0)\n" }.joined())
                return false
            }
            former = (String(decoding: bytes, as: UTF8.self), ledger)
        }
        var ledger = LedgerText(former, client: report.client, version: report.clientVersion)
        for verdict in report.verdicts { ledger.record(verdict) }
        output.message("\(path) has \(Plural.count(ledger.count, "deviation")) of \(report.client)")
        return file.replace(with: ledger.text)
    }
}
