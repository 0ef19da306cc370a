package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// Sends what follows a reply to the client's listener, which a module above does.
package protocol WebhookSending: WebhookProgram {
    /// Binds all texts now, and begins a task of the run that sends; on the loop's thread of the request.
    func beginSending(_ inputs: consuming PlanInputs, in stage: Stage, _ log: RequestLog, on loop: EventLoop)
}

extension StageRequest {
    /// What follows a reply of an exchange; nil for a reply of a guard.
    func webhooks(of part: PlayedPart) -> (any WebhookSending)? {
        guard part.refusal == nil else { return nil }
        return stage.compiled.exchanges[part.exchange].exchange.webhooks as? any WebhookSending
    }

    /// Begins to send what follows the reply that went out whole.
    func beginWebhooks(_ program: any WebhookSending, behind exchange: Int, for view: RequestView) {
        let exchange = stage.compiled.exchanges[exchange].exchange
        let part = PlayedPart(exchange: exchange.index, reply: .turn(0), infos: [], state: stage.state)
        let inputs = PlanInputs(
            part, for: view, numbers, pattern: exchange.request,
            addresses: stage.addresses.bound(for: view.head, view.scheme), origin: exchange.origin)
        program.beginSending(inputs, in: stage, log, on: wire.loop)
    }
}
