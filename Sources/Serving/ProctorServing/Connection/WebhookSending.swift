package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// Sends what follows a reply to the client's listener, which a module above does.
package protocol WebhookSending: WebhookProgram {
    /// Binds all texts now, and begins a task of the run that sends what the gate permits; on the loop's thread of the request.
    func beginSending(
        _ inputs: consuming PlanInputs, in stage: Stage, through gate: OutgoingGate, _ log: RequestLog,
        on loop: EventLoop
    )
}

/// What follows a reply, and where it may go; an object, so that a reply without webhooks carries one word.
final class BoundSending {
    let program: any WebhookSending
    let gate: OutgoingGate

    init(program: any WebhookSending, gate: OutgoingGate) { (self.program, self.gate) = (program, gate) }
}

extension StageRequest {
    /// What follows a reply of an exchange; nil for a reply of a guard.
    ///
    /// The gate looks at the client before the reply goes out, since a client may leave with it.
    func webhooks(of part: PlayedPart, for view: RequestView) -> BoundSending? {
        guard part.refusal == nil,
            let program = stage.compiled.exchanges[part.exchange].exchange.webhooks as? any WebhookSending
        else { return nil }
        return BoundSending(
            program: program, gate: OutgoingGate(behind: view.head, on: wire.connection, of: stage))
    }

    /// Begins to send what follows the reply that went out whole.
    func beginWebhooks(_ sending: BoundSending, behind exchange: Int, for view: RequestView) {
        let exchange = stage.compiled.exchanges[exchange].exchange
        let part = PlayedPart(exchange: exchange.index, reply: .turn(0), infos: [], state: stage.state)
        let inputs = PlanInputs(
            part, for: view, numbers, pattern: exchange.request,
            addresses: stage.addresses.bound(for: view.head, view.scheme, from: numbers.source),
            origin: exchange.origin)
        sending.program.beginSending(inputs, in: stage, through: sending.gate, log, on: wire.loop)
    }
}
