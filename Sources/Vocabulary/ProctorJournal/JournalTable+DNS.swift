// What the run's server of DNS was sent, and did.
extension JournalTable {
    static let dnsQuestion: Event<DNSQuestionNote> = Event("dnsQuestion") {
        Key("question", .number, \.number)
        Key("transport", .text, \.transport)
        Key("id", .number, \.id)
        Key("type", .text, \.type)
        Key("name", .text, \.name)
    } make: {
        .dns(DNSNote(.question(DNSQuestionNote(number: $0, transport: $1, id: $2, type: $3, name: $4))))
    }

    static let dnsReply: Event<(question: Int, text: String)> = Event("dnsReply") {
        Key("question", .number, \.question)
        Key("reply", .text, \.text)
    } make: {
        .dns(DNSNote(.reply(question: $0, text: $1)))
    }

    static let dnsViolation: Event<(question: Int?, violation: ViolationNote)> = Event("dnsViolation") {
        Key("question", .number, ifAny: \.question)
        Key("kind", .text, \.violation.kind)
        Key("offset", .number, \.violation.offset)
        Key("section", .text, \.violation.section)
        Key("sentence", .text, \.violation.sentence)
    } make: { question, kind, offset, section, sentence in
        let violation = ViolationNote(kind: kind, offset: offset, section: section, sentence: sentence)
        return .dns(DNSNote(.violation(question: question, violation)))
    }
}
