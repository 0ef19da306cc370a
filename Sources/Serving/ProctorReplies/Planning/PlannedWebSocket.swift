package import ProctorJournal
package import ProctorScenario

/// A WebSocket as its module plans the reply that opens it.
package protocol PlannedWebSocket: WebSocketProgram {
    /// Adds the computed fields of the handshake to the reply, or refuses a request that is none; nil where there is no request.
    func open(_ draft: inout ReplyDraft, _ inputs: inout PlanInputs) -> WebSocketOpening?
}

/// What became of the opening handshake of a WebSocket.
package struct WebSocketOpening {
    package let violations: [WebSocketNote]
    /// With what was agreed on; nil where the connection goes on with HTTP.
    package let program: (any WebSocketProgram)?

    package init(violations: [WebSocketNote], program: (any WebSocketProgram)?) {
        (self.violations, self.program) = (violations, program)
    }
}
