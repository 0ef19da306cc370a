package import ProctorEvents

/// The events of a client with the server's requests between them, for rules that look at both sides.
///
/// A trace alone has no requests; grading merges it with the journal and asks here. Each rule looks for itself, in its file.
package struct MergedOrder {
    let items: [Item]
    /// Whether requests have a place among the client's events.
    let isMerged: Bool
    /// Whether there are no tasks, but the objects of a URLProtocol.
    let isOfProtocol: Bool
    /// Whether the client reports what the test did.
    let reportsHarness: Bool
    /// How a message calls an event.
    let text: (TraceEvent) -> String

    /// A client's event, or a request.
    package struct Item {
        let event: TraceEvent
        let isRequest: Bool
        /// Whether it is known which task a request belongs to.
        let hasTask: Bool

        package init(event: TraceEvent, isRequest: Bool, hasTask: Bool) {
            self.event = event
            self.isRequest = isRequest
            self.hasTask = hasTask
        }
    }

    /// A place where a rule breaks.
    package struct Breach {
        package let rule: RuleNumber
        /// What must hold, in a few words that are the name of the finding.
        package let edge: String
        package let event: TraceEvent
        package let sentence: String

        init(_ rule: Rule, edge: String, at event: TraceEvent, _ sentence: String) {
            self.rule = rule.number
            self.edge = edge
            self.event = event
            self.sentence = sentence
        }
    }

    package init(
        items: [Item], isMerged: Bool, isOfProtocol: Bool, reportsHarness: Bool, text: @escaping (TraceEvent) -> String
    ) {
        self.items = items
        self.isMerged = isMerged
        self.isOfProtocol = isOfProtocol
        self.reportsHarness = reportsHarness
        self.text = text
    }

    /// What R8, R42 and R43 say.
    package var breaches: [Breach] {
        R8SilenceInRedirect.breaches(of: self) + R42CancelledBeforeResume.breaches(of: self)
            + R43SessionEnd.breaches(of: self)
    }

    /// Whether what the test did, it did to a task; where there are none, to the object that stands for it.
    func isOfTask(_ event: TraceEvent) -> Bool { event.object == nil || isOfProtocol }
}
