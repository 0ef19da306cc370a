// What the server sent to the client's listener, and what came of it.
extension JournalTable {
    typealias SentWebhook = (WebhookNote, url: String, id: String, byteCount: Int, mistake: String?)
    typealias AnsweredWebhook = (WebhookNote, status: Int, milliseconds: Int, fault: String?)
    typealias UnansweredWebhook = (WebhookNote, reason: String, fault: String?)

    static let webhookSent: JournalShape<SentWebhook, JournalEvent> = JournalShape(
        named: "webhookSent", says: "a [webhook](../format/webhooks.md) goes out",
        fields: JournalKey<SentWebhook>.integer("webhook", says: "its number, from 0", of: { $0.0.number }),
        JournalKey<SentWebhook>.integer("attempt", says: "the try, from 0", of: { $0.0.attempt }),
        JournalKey<SentWebhook>.text("url", says: "of the listener", of: \.url),
        JournalKey<SentWebhook>.text("id", says: "its id", of: \.id),
        JournalKey<SentWebhook>.integer("byteCount", says: "bytes of the content", of: \.byteCount),
        JournalKey<SentWebhook>.text(
            "mistake", says: "what is wrong with it on purpose", when: "where something is", of: \.mistake)
    ) { .webhook(WebhookNote($0, attempt: $1, .sent(url: $2, id: $3, byteCount: $4, mistake: $5))) }

    static let webhookAnswered: JournalShape<AnsweredWebhook, JournalEvent> = JournalShape(
        named: "webhookAnswered", says: "the listener answered it",
        fields: JournalKey<AnsweredWebhook>.integer("webhook", says: "its number", of: { $0.0.number }),
        JournalKey<AnsweredWebhook>.integer("attempt", says: "the try", of: { $0.0.attempt }),
        JournalKey<AnsweredWebhook>.integer("status", says: "the status", of: \.status),
        JournalKey<AnsweredWebhook>.integer("milliseconds", says: "behind its first byte", of: \.milliseconds),
        JournalKey<AnsweredWebhook>.text(
            "fault", says: "what is wrong with the answer; it fails the case", when: "where something is", of: \.fault)
    ) { .webhook(WebhookNote($0, attempt: $1, .answered(status: $2, milliseconds: $3, fault: $4))) }

    static let webhookUnanswered: JournalShape<UnansweredWebhook, JournalEvent> = JournalShape(
        named: "webhookUnanswered", says: "the listener did not answer it, or it was not sent",
        fields: JournalKey<UnansweredWebhook>.integer("webhook", says: "its number", of: { $0.0.number }),
        JournalKey<UnansweredWebhook>.integer("attempt", says: "the try", of: { $0.0.attempt }),
        JournalKey<UnansweredWebhook>.text("reason", says: "a sentence", of: \.reason),
        JournalKey<UnansweredWebhook>.text(
            "fault", says: "what is wrong with that; it fails the case", when: "where something is", of: \.fault)
    ) { .webhook(WebhookNote($0, attempt: $1, .unanswered(reason: $2, fault: $3))) }
}
