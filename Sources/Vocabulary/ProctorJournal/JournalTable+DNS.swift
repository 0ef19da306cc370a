// What the run's server of DNS was sent, and did.
extension JournalTable {
    static let dnsQuestion: JournalShape<DNSQuestionNote, JournalEvent> = JournalShape(
        named: "dnsQuestion", says: "the run's server of DNS was asked",
        fields: JournalKey.integer("question", says: "counts the questions of the run, from 0", of: \.number),
        JournalKey.text("transport", says: "`udp` or `tcp`", of: \.transport),
        JournalKey.integer("id", says: "the id of the message", of: \.id),
        JournalKey.text("type", says: "`A`, `AAAA`, `HTTPS`, or another type of records", of: \.type),
        JournalKey.text("name", says: "the name as it came", of: \.name)
    ) { .dns(DNSNote(.question(DNSQuestionNote(number: $0, transport: $1, id: $2, type: $3, name: $4)))) }

    static let dnsReply: JournalShape<(question: Int, text: String), JournalEvent> = JournalShape(
        named: "dnsReply", says: "what the server of DNS did about a question; a fault stands behind the code",
        fields: JournalKey.integer("question", says: "the number of the question", of: \.question),
        JournalKey.text(
            "reply", says: "`NOERROR`, `NXDOMAIN` or another code, `silent`, or a code and a fault", of: \.text)
    ) { .dns(DNSNote(.reply(question: $0, text: $1))) }

    static let dnsViolation: JournalShape<DNSViolationNote, JournalEvent> = JournalShape(
        named: "dnsViolation", says: "a departure of a question from the documents of DNS",
        fields: JournalKey.integer(
            "question", says: "the number of the question", when: "where the message has a reading", of: \.question),
        JournalKey.text("kind", says: "its name", of: \.kind),
        JournalKey.integer("offset", says: "where it stands, in bytes from the first one of the message", of: \.offset),
        JournalKey.text("section", says: "the section of the document", of: \.section),
        JournalKey.text("sentence", says: "what is wrong, for a person", of: \.sentence)
    ) {
        .dns(DNSNote(.violation(DNSViolationNote(question: $0, kind: $1, offset: $2, section: $3, sentence: $4))))
    }
}
