import ProctorEvents

struct R29DispositionTakesEffect: RuleMonitor {
    static let interests: EventNameSet = [
        .answer, .response, .data, .willCache, .becameDownload, .becameStream, .complete, .metrics, .redirect,
        .challenge, .progress, .fileReady, .bodySent,
    ]

    /// The event that the disposition must cause; `.data` stands for allow, nil for no answer.
    private var wanted: EventName?
    private var data: KeptEvent?

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        if event.name == .data, wanted == .data || wanted == nil, load.terminal == nil { return nil }
        if let terminal = load.terminal {
            guard terminal.name != .complete, event.lane == .task else { return nil }
            return Breach("\(event.symbol) came after \(terminal.symbol); the old task says no more")
        }
        guard event.name == .answer else { return judge(event) }
        takeAnswer(event, load)
        return nil
    }

    private mutating func takeAnswer(_ event: TraceEvent, _ load: LoadState) {
        guard load.questionName(answeredBy: event) == .response else { return }
        switch event.argument {
        case "cancel": wanted = .complete
        case "becomeDownload": wanted = .becameDownload
        case "becomeStream": wanted = .becameStream
        default: wanted = .data
        }
    }

    private mutating func judge(_ event: TraceEvent) -> Breach? {
        switch event.name {
        case .becameDownload, .becameStream:
            guard let wanted, wanted != event.name else { return nil }
            return Breach("\(event.symbol) came, but the disposition was another")
        case .data:
            // Held until the end shows whether the disposition had any effect.
            guard wanted == .complete else { return ignored(by: event) }
            data = data ?? KeptEvent(event)
        case .response: wanted = nil
        case .complete where event.isSuccess: return wanted == nil || wanted == .data ? nil : ignored(by: event)
        case .complete where wanted == .complete:
            return data.map {
                Breach(
                    "data came after the response was cancelled; only complete(cancelled) does", at: $0,
                    isInferred: true)
            }
        default: break
        }
        return nil
    }

    private func ignored(by event: TraceEvent) -> Breach {
        let (answer, due) =
            switch wanted {
            case .becameDownload: ("becomeDownload", "becameDownload")
            case .becameStream: ("becomeStream", "becameStream")
            default: ("cancel", "complete(cancelled)")
            }
        return Breach("\(event.symbol) came after the disposition '\(answer)'; \(due) is due")
    }
}
