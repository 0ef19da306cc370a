import ProctorJournal
import ProctorScenario

/// What a run's server of DNS was asked, and did.
struct SeenDNS {
    private(set) var questions: [Question] = []

    struct Question {
        let note: DNSQuestionNote
        let sequence: UInt64
        let nanoseconds: UInt64
        var replies: [String] = []
        var violations: [ViolationNote] = []
    }

    mutating func add(_ note: DNSNote, at entry: JournalEntry) {
        switch note.event {
        case .question(let question):
            questions.append(Question(note: question, sequence: entry.sequence, nanoseconds: entry.nanoseconds))
        case .reply(let number, let text): update(number) { $0.replies.append(text) }
        case .violation(let number, let violation):
            if let number { update(number) { $0.violations.append(violation) } }
        }
    }

    private mutating func update(_ number: Int, _ change: (inout Question) -> Void) {
        guard let index = questions.lastIndex(where: { $0.note.number == number }) else { return }
        change(&questions[index])
    }

    /// Type and name of each, in the order in which they first came.
    var differentQuestions: [String] { questions.map { "\($0.note.type) \($0.note.name)" }.unique }

    func measure(_ fact: FactName.DNSFact, of index: Int) -> Measurement {
        let question = questions[index]
        switch fact {
        case .name: return Measurement(question.note.name)
        case .type: return Measurement(question.note.type)
        case .transport: return Measurement(question.note.transport)
        case .gap:
            guard index > 0 else { return .absent }
            let gap = question.nanoseconds.subtractingReportingOverflow(questions[index - 1].nanoseconds)
            return .number(gap.overflow ? 0 : Double(gap.partialValue) / 1e6)
        case .replies: return Measurement(ofList: question.replies)
        case .violations: return Measurement(ofValues: question.violations.map(\.kind))
        }
    }
}
