internal import ProctorBase
internal import ProctorGrading

/// The records of an earlier exam, by client, with which an exam is compared.
struct Baseline: Sendable {
    private let file: String
    private let exams: [String: ExamRecord]

    /// The exams, one of each client.
    var all: [ExamRecord] { Array(exams.values) }

    /// Makes the baseline of a file; of two exams of one client, the second one is used.
    init(_ exams: [ExamRecord], file: String) {
        self.file = file
        self.exams = Dictionary(exams.map { ($0.header.client, $0) }, uniquingKeysWith: { $1 })
    }

    func header(of client: String) -> ExamHeader? { exams[client]?.header }

    /// The records of a client; empty when the file has none.
    func records(of client: String) -> [CaseID: CaseRecord] {
        Dictionary((exams[client]?.cases ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// A sentence when the file has no records of the client; nil when it has.
    func fault(of client: String) -> String? {
        guard exams[client] == nil else { return nil }
        let names = exams.keys.sorted().map { PrintableText.sanitize($0, limit: 100) }.joined(separator: ", ")
        let path = PrintableText.sanitize(file, limit: 1_000)
        return "the baseline \(path) has no client '\(client)', so that each failure of it is new: it is of "
            + (names.isEmpty ? "no client" : names)
    }
}
