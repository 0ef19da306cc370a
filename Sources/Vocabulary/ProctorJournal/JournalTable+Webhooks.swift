// What the server sent to the client's listener, and what came of it.
extension JournalTable {
    typealias SentWebhook = (WebhookNote, url: String, id: String, byteCount: Int, mistake: String?)
    typealias AnsweredWebhook = (WebhookNote, status: Int, milliseconds: Int, fault: String?)
    typealias UnansweredWebhook = (WebhookNote, reason: String, fault: String?)

    static let webhookSent: Event<SentWebhook> = Event("webhookSent") {
        Key("webhook", .number, { $0.0.number })
        Key("attempt", .number, { $0.0.attempt })
        Key("url", .text, \.url)
        Key("id", .text, \.id)
        Key("byteCount", .number, \.byteCount)
        Key("mistake", .text, ifAny: \.mistake)
    } make: {
        .webhook(WebhookNote($0, attempt: $1, .sent(url: $2, id: $3, byteCount: $4, mistake: $5)))
    }

    static let webhookAnswered: Event<AnsweredWebhook> = Event("webhookAnswered") {
        Key("webhook", .number, { $0.0.number })
        Key("attempt", .number, { $0.0.attempt })
        Key("status", .number, \.status)
        Key("milliseconds", .number, \.milliseconds)
        Key("fault", .text, ifAny: \.fault)
    } make: {
        .webhook(WebhookNote($0, attempt: $1, .answered(status: $2, milliseconds: $3, fault: $4)))
    }

    static let webhookUnanswered: Event<UnansweredWebhook> = Event("webhookUnanswered") {
        Key("webhook", .number, { $0.0.number })
        Key("attempt", .number, { $0.0.attempt })
        Key("reason", .text, \.reason)
        Key("fault", .text, ifAny: \.fault)
    } make: {
        .webhook(WebhookNote($0, attempt: $1, .unanswered(reason: $2, fault: $3)))
    }
}
