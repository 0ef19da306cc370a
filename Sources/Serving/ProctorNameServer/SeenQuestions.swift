internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorScenario

/// What a run's server of DNS was asked, and did: the facts `dns[N].…`, in the order of arrival.
struct SeenQuestions: FactGatherer {
    private(set) var all: [Question] = []

    struct Question {
        fileprivate let note: DNSQuestionNote
        fileprivate let sequence: UInt64, nanoseconds: UInt64
        /// Milliseconds since the question before; nil for the first one.
        fileprivate let gap: Double?
        fileprivate var replies: [String] = []
        fileprivate var violations: [ViolationNote] = []
    }

    static let group = FactGroup.dns

    static let words = GatheredWords(
        owner: "question $ to the server of DNS", counted: "question", "were asked of the server of DNS",
        wrong: "$ is wrong")

    static let facts: [GatheredFact<Question>] = [
        GatheredFact("name", "the name of $") { Measurement($0.note.name) },
        GatheredFact("type", "the type of $") { Measurement($0.note.type) },
        GatheredFact(
            "transport", "the transport of $", .word(FactWords("transport", of: "a question of DNS", ["udp", "tcp"]))
        ) { Measurement($0.note.transport) },
        GatheredFact("gap", "the milliseconds from the question before to $", .number) {
            $0.gap.map { .number($0) } ?? .absent
        },
        // In order.
        GatheredFact("replies", "what was done about $", .list) { Measurement(ofList: $0.replies) },
        GatheredFact(
            "violations", "the violations of $",
            .kinds(FactWords("violation", of: "a question of DNS", TableCells.kinds(of: "dns-violations")))
        ) { Measurement(ofValues: $0.violations.map(\.kind)) },
    ]

    static let factsOfRun: [GatheredFact<SeenQuestions>] = [
        GatheredFact("count", "the number of questions to the server of DNS", .number) { Measurement($0.all.count) },
        // The different ones, in the order in which they first came.
        GatheredFact("questions", "the questions to the server of DNS", .list) {
            Measurement(ofList: $0.all.map { "\($0.note.type) \($0.note.name)" }.unique)
        },
    ]

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .dns(let note) = entry.event else { return }
        switch note.event {
        case .question(let question):
            let gap = all.last.map { entry.nanoseconds.subtractingReportingOverflow($0.nanoseconds) }
            all.append(
                Question(
                    note: question, sequence: entry.sequence, nanoseconds: entry.nanoseconds,
                    gap: gap.map { $0.overflow ? 0 : Double($0.partialValue) / 1e6 }))
        case .reply(let number, let text): update(number) { $0.replies.append(text) }
        case .violation(let number, let violation):
            if let number { update(number) { $0.violations.append(violation) } }
        }
    }

    private mutating func update(_ number: Int, _ change: (inout Question) -> Void) {
        guard let index = all.lastIndex(where: { $0.note.number == number }) else { return }
        change(&all[index])
    }

    func sequence(of question: Question, in record: WireRecord) -> UInt64? { question.sequence }

    func faults(of question: Question, in record: WireRecord) -> [ListedFault] {
        question.violations.map { ListedFault($0) }
    }
}
