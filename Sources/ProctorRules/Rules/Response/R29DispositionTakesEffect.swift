import ProctorEvents

extension Rules {
    static let r29 = Rule(
        29, title: "a disposition is obeyed",
        statement: """
            The answer cancel leads to complete(cancelled) and no data; becomeDownload and becomeStream turn the \
            task into another, which becameDownload or becameStream announces, and the first one never speaks again.
            """,
        source: "NSURLSession.h; URL Session Programming Guide", confidence: .documented, families: [.sessionData],
        monitors: [.load(R29DispositionTakesEffect.self)],
        limits: "needs the answers; that no data comes before complete(cancelled) is our own conclusion",
        legal: "response(200) becameDownload  # becomeDownload; what follows is another task",
        illegal: "response(200) data* complete(ok)  # cancelled",
        judgesAnswersTo: .response)
}

struct R29DispositionTakesEffect: RuleMonitor {
    static var rule: Rule { Rules.r29 }
    static let interests: EventNameSet = [
        .answer, .response, .data, .willCache, .becameDownload, .becameStream, .complete, .metrics, .redirect,
        .challenge, .progress, .fileReady, .bodySent,
    ]

    /// The event that the disposition wants; `.data` stands for allow, nil for no answer.
    private var wanted: EventName?
    private var data: KeptEvent?
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if event.name == .data, wanted == .data || wanted == nil, load.terminal == nil { return }
        guard !isReported else { return }
        if let terminal = load.terminal {
            guard terminal.name != .complete, event.lane == .task else { return }
            report(
                "\(event.symbol) came after \(terminal.symbol); the old task says no more", event, in: load, into: &hits
            )
        } else if event.name == .answer {
            takeAnswer(event, load)
        } else {
            judge(event, load, into: &hits)
        }
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

    private mutating func judge(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        switch event.name {
        case .becameDownload, .becameStream:
            guard let wanted, wanted != event.name else { return }
            report("\(event.symbol) came, but the disposition was another", event, in: load, into: &hits)
        case .data:
            // Held until the end shows whether it was ignored altogether.
            if wanted == .complete { data = data ?? KeptEvent(event) } else { reportIgnored(event, load, into: &hits) }
        case .response: wanted = nil
        case .complete: judgeEnd(event, load, into: &hits)
        default: break
        }
    }

    private mutating func judgeEnd(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if wanted == .complete {
            if event.isSuccess {
                reportIgnored(event, load, into: &hits)
            } else if let data {
                isReported = true
                hits.report(
                    Self.rule, "data came after the response was cancelled; only complete(cancelled) does",
                    at: data.event,
                    in: load.lane, isInferred: true)
            }
        } else if wanted == .becameDownload || wanted == .becameStream, event.isSuccess {
            reportIgnored(event, load, into: &hits)
        }
    }

    private mutating func reportIgnored(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        let (answer, due) =
            switch wanted {
            case .becameDownload: ("becomeDownload", "becameDownload")
            case .becameStream: ("becomeStream", "becameStream")
            default: ("cancel", "complete(cancelled)")
            }
        report("\(event.symbol) came after the disposition '\(answer)'; \(due) is due", event, in: load, into: &hits)
    }

    private mutating func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        isReported = true
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
