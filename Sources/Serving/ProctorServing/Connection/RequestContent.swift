internal import ProctorJournal

/// Reads the content of a request and notes it.
package struct RequestContent<Carrier: Wire> {
    let wire: Carrier
    let log: RequestLog

    private var input: RequestInput { wire.input }

    /// Reads content and notes it in the journal when it is complete.
    ///
    /// Malformed content is refused, unless the origin accepts anything. After the reply the connection ends without a
    /// refusal, which the client would take for the next reply.
    package func receive(_ goal: RequestInput.Goal, isAnswered: Bool = false) async throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try await wire.receive(goal)
        } catch {
            var events = JournalEvents(.requestBody(input.request.body))
            if let event = input.unfinished.event(.unfinished) { events.append(event) }
            log.append(events)
            input.request.isEndNoted = true
            throw error
        }
        for violation in input.request.takeViolations() { log.append(.violation(violation)) }
        if let refusal = input.request.refusal {
            input.takeRest()
            var events = JournalEvents(.violation(refusal))
            events.append(.requestBody(input.request.body))
            if let event = input.unfinished.event(.refused) { events.append(event) }
            log.append(events)
            input.request.isEndNoted = true
            if isAnswered { throw .refused }
            if wire.endpoint.acceptsAnything { return }
            try await wire.sendRefusal(refusal)
        }
        if input.request.isComplete { log.append(.requestBody(input.request.body)) }
    }

    func sendContinue() async throws(ConnectionEnd) {
        if try await wire.sendContinue() { log.append(.continueSent) }
    }

    package func noteUnfinished() {
        guard input.request.hasUnreadContent, !input.request.isEndNoted else { return }
        // Content of no bytes ends without any that come.
        input.takeWaitingEvents(until: .end)
        input.request.isWithheld = !input.request.isComplete && input.mayBeWithheld
        log.append(.requestBody(input.request.body))
    }
}
