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
        var violations: [DNSViolationNote] = []
    }

    mutating func add(_ note: DNSNote, at entry: JournalEntry) {
        switch note.event {
        case .question(let question):
            questions.append(Question(note: question, sequence: entry.sequence, nanoseconds: entry.nanoseconds))
        case .reply(let number, let text): update(number) { $0.replies.append(text) }
        case .violation(let violation):
            if let number = violation.question { update(number) { $0.violations.append(violation) } }
        }
    }

    private mutating func update(_ number: Int, _ change: (inout Question) -> Void) {
        guard let index = questions.lastIndex(where: { $0.note.number == number }) else { return }
        change(&questions[index])
    }

    /// `name` is a fact about DNS.
    func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        switch name {
        case .questionCount: return (Measurement(questions.count), questions.last?.sequence)
        case .questions:
            var different: [String] = []
            for question in questions {
                let text = "\(question.note.type) \(question.note.name)"
                if !different.contains(text) { different.append(text) }
            }
            return (Measurement(ofList: different), questions.last?.sequence)
        case .dns(let index, let fact) where questions.indices.contains(index):
            return (measure(fact, of: index), questions[index].sequence)
        default: return (.absent, nil)
        }
    }

    private func measure(_ fact: FactName.DNSFact, of index: Int) -> Measurement {
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
