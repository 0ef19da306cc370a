internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// Requests of the server to a listener of the client behind a reply: the key `webhooks` of exchanges, and its sending.
package enum Webhooks {
    /// Hands the key over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with the key is refused.
    package static func register() {
        let table = Table("a webhook", WebhookKeys())
        ScenarioReader.webhooks.register(
            Shape { node, reader in
                reader.sink.filledList(node, "webhooks", limit: limit)?
                    .mapAll { table.open($0, reader).flatMap { Webhook($0) } }.map { WebhookList($0) }
            })
    }

    /// The most webhooks behind one reply.
    static let limit = 100
}
