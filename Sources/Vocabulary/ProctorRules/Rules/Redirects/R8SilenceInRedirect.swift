import ProctorEvents

struct R8SilenceInRedirect: SilenceMonitor {
    static let question = EventName.redirect
    static let interests: EventNameSet = [
        .redirect, .response, .data, .progress, .fileReady, .challenge, .needBodyStream, .informational, .willCache,
        .waiting, .complete, .answer,
    ]

    var held: Breach?

    mutating func breach(by event: TraceEvent, during question: TraceEvent, _ load: LoadState) -> Breach? {
        var isInferred = true
        switch event.name {
        // Until the trace has shown an answer, data without response is R25.
        case .data where load.isDataTooEarly: return nil
        case .complete:
            // A success without response is R2 or R5.
            if ["cancelled", "timedOut", "ok"].contains(event.argument) { return nil }
        case .response, .data, .progress, .fileReady: isInferred = false
        default: break
        }
        return Breach(
            "\(event.symbol) came while \(question.symbol) was unanswered; the task waits", at: KeptEvent(event),
            isInferred: isInferred)
    }
}

extension R8SilenceInRedirect {
    /// A task sends no request between a redirect and its answer.
    static func breaches(of order: MergedOrder) -> [MergedOrder.Breach] {
        guard order.isMerged, LoadState.tellsAnswers(order.items.lazy.map(\.event)) else { return [] }
        var open: [Int: TraceEvent] = [:]
        var breaches: [MergedOrder.Breach] = []
        for item in order.items where item.event.phase == .enter {
            let event = item.event
            switch (event.lane, event.name) {
            case (.task, .redirect): open[event.task] = event
            case (.protocolClient, .redirect) where order.isOfProtocol: open[event.task] = event
            case (.task, .complete), (.harness, .cancel): open[event.task] = nil
            case (.harness, .answer) where order.isOfTask(event) && event.facts.text(.to) ?? "redirect" == "redirect":
                open[event.task] = nil
            case (.wire, .request):
                guard item.hasTask, let redirect = open.removeValue(forKey: event.task) else { continue }
                breaches.append(
                    .init(
                        RuleNumber(8), edge: "the request after a redirect only after its answer", at: event,
                        "\(order.text(event)) came before \(order.text(redirect)) was answered"))
            default: break
            }
        }
        return breaches
    }
}
