// What the run's server of DNS was sent, and did.
extension JournalTable {
    static let dnsQuestion: JournalShape<DNSQuestionNote, JournalEvent> = JournalShape(
        named: "dnsQuestion", says: "a question of DNS",
        fields: JournalKey<DNSQuestionNote>.integer("question", says: "its number, from 0", of: \.number),
        JournalKey<DNSQuestionNote>.text("transport", says: "`udp` or `tcp`", of: \.transport),
        JournalKey<DNSQuestionNote>.integer("id", says: "of the message", of: \.id),
        JournalKey<DNSQuestionNote>.text("type", says: "`AAAA` or another one", of: \.type),
        JournalKey<DNSQuestionNote>.text("name", says: "as it came", of: \.name)
    ) { .dns(DNSNote(.question(DNSQuestionNote(number: $0, transport: $1, id: $2, type: $3, name: $4)))) }

    static let dnsReply: JournalShape<(question: Int, text: String), JournalEvent> = JournalShape(
        named: "dnsReply", says: "the reply to it",
        fields: JournalKey.integer("question", says: "the question", of: \.question),
        JournalKey.text(
            "reply", says: "`silent`, or a code as `NOERROR`, and a fault behind it", of: \.text)
    ) { .dns(DNSNote(.reply(question: $0, text: $1))) }

    static let dnsViolation: JournalShape<DNSViolationNote, JournalEvent> = JournalShape(
        named: "dnsViolation", says: "a departure from the documents of DNS",
        fields: JournalKey<DNSViolationNote>.integer(
            "question", says: "the question", when: "where it can be read", of: \.question),
        JournalKey<DNSViolationNote>.text("kind", says: "its name", of: \.kind),
        JournalKey<DNSViolationNote>.integer("offset", says: "in bytes of the message", of: \.offset),
        JournalKey<DNSViolationNote>.text("section", says: "of the document", of: \.section),
        JournalKey<DNSViolationNote>.text("sentence", says: "what is wrong, for a person", of: \.sentence)
    ) {
        .dns(DNSNote(.violation(DNSViolationNote(question: $0, kind: $1, offset: $2, section: $3, sentence: $4))))
    }
}
