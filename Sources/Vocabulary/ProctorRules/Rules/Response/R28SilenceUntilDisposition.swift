import ProctorEvents

struct R28SilenceUntilDisposition: SilenceMonitor {
    static let question = EventName.response
    static let interests: EventNameSet = [
        .response, .data, .willCache, .redirect, .challenge, .needBodyStream, .informational, .becameDownload,
        .becameStream, .complete, .answer,
    ]

    var held: Breach?

    func breach(by event: TraceEvent, during question: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .complete, event.argument == "cancelled" || event.argument == "timedOut" { return nil }
        return Self.breach(by: event, during: question, isInferred: event.name == .complete && !event.isSuccess)
    }

    static func breach(by event: TraceEvent, during question: TraceEvent, isInferred: Bool) -> Breach {
        Breach(
            "\(event.symbol) came before the disposition of \(question.symbol) was given; the task waits for it",
            at: KeptEvent(event), isInferred: isInferred)
    }
}

/// Notes upload progress, which may be late, apart from other breaches; nothing is checked after another breach.
struct R28ProgressUntilDisposition: SilenceMonitor {
    static let question = EventName.response
    static let interests: EventNameSet = R28SilenceUntilDisposition.interests.union([.bodySent])

    var held: Breach?
    private var other = R28SilenceUntilDisposition()
    private var isBroken = false

    mutating func breach(by event: TraceEvent, during question: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name == .bodySent else {
            isBroken = isBroken || other.breach(by: event, during: question, load) != nil
            return nil
        }
        return isBroken ? nil : R28SilenceUntilDisposition.breach(by: event, during: question, isInferred: true)
    }
}
