package import ProctorEvents

/// The events of a client with the server's requests between them, for rules that need both.
///
/// A trace alone has no requests; grading merges it with the journal. The check of each rule stands in the rule's
/// file.
package struct MergedOrder {
    /// Made one by one, so that they are no copy of the trace.
    let items: AnyRandomAccessCollection<Item>
    let isMerged: Bool
    let isOfProtocol: Bool
    let reportsHarness: Bool
    let text: (TraceEvent) -> String

    package struct Item {
        let event: TraceEvent
        let isRequest: Bool
        let hasTask: Bool

        package init(event: TraceEvent, isRequest: Bool, hasTask: Bool) {
            (self.event, self.isRequest, self.hasTask) = (event, isRequest, hasTask)
        }
    }

    package struct Breach {
        package let rule: RuleNumber
        /// The condition that must hold, in a few words that are the name of the finding.
        package let edge: String
        package let event: TraceEvent
        package let sentence: String

        init(_ rule: RuleNumber, edge: String, at event: TraceEvent, _ sentence: String) {
            (self.rule, self.edge, self.event, self.sentence) = (rule, edge, event, sentence)
        }
    }

    package init(
        items: AnyRandomAccessCollection<Item>, isMerged: Bool, isOfProtocol: Bool, reportsHarness: Bool,
        text: @escaping (TraceEvent) -> String
    ) {
        (self.items, self.isMerged, self.isOfProtocol) = (items, isMerged, isOfProtocol)
        (self.reportsHarness, self.text) = (reportsHarness, text)
    }

    package var breaches: [Breach] {
        R8SilenceInRedirect.breaches(of: self) + R42CancelledBeforeResume.breaches(of: self)
            + R43SessionEnd.breaches(of: self)
    }

    /// Whether the act concerns a task or, in a trace without tasks, the object in its place.
    func isOfTask(_ event: TraceEvent) -> Bool { event.object == nil || isOfProtocol }
}
