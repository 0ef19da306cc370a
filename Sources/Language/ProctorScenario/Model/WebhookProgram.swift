/// The requests that the server makes to a listener of the client behind a reply (`webhooks:`), which a module above reads
/// and sends.
package protocol WebhookProgram: Sendable {
    /// What its texts take from the request that is answered.
    var lateUse: LateUse { get }
}
