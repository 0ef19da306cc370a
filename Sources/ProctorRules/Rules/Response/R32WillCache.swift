import ProctorEvents

extension Rules {
    static let r32 = Rule(
        32, title: "willCache",
        statement: """
            Between the last data of a response and the end willCache may be asked, once. A load that fails or a \
            download is not asked, a status other than 2xx hardly ever, and nobody has to ask at all.
            """,
        source: "NSURLSession.h; URLSessionDataDelegate reference; URL Session Programming Guide",
        confidence: .documented, families: [.sessionData, .sessionDownload, .connection],
        monitors: [.load(R32WillCache.self)],
        limits: "its order against metrics is open; another status than 2xx is only noted",
        legal: "response(200) data+ willCache? complete(ok)", illegal: "response(200) willCache data complete(ok)")
}

struct R32WillCache: RuleMonitor {
    static var rule: Rule { Rules.r32 }
    static let interests: EventNameSet = [.willCache, .data, .response, .complete]

    private var isAsked = false
    private var isReported = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        guard isAsked || event.name == .willCache, !isReported else { return }
        switch event.name {
        case .willCache: take(event, load, into: &hits)
        case .data where load.terminal == nil:
            report("data came after willCache; it is asked after the last", event, in: load, into: &hits)
        case .response: isAsked = false
        case .complete where load.terminal == nil:
            guard !event.isSuccess, load.cancellation == nil else { return }
            if event.argument == "timedOut", load.openQuestion(.willCache) != nil { return }
            report(
                "\(event.symbol) came after willCache; a load that fails is not stored", event, in: load, into: &hits)
        default: break
        }
    }

    private mutating func take(_ event: TraceEvent, _ load: LoadState, into hits: inout HitList) {
        if let terminal = load.terminal {
            report("willCache came after \(terminal.symbol); it is asked before the end", event, in: load, into: &hits)
        } else if load.family == .sessionDownload {
            report("willCache came for a download; downloads are not stored", event, in: load, into: &hits)
        } else if load.responseCount == 0 {
            report("willCache came before any response", event, in: load, into: &hits)
        } else if isAsked {
            report("willCache came twice for one response", event, in: load, into: &hits)
        } else if let status = load.lastStatus, !(200..<300).contains(status) {
            isReported = true
            hits.report(
                Self.rule, "willCache came for response(\(status)); as a rule only 2xx is stored", at: event,
                in: load.lane, isInferred: true)
        }
        isAsked = true
    }

    private mutating func report(
        _ sentence: @autoclosure () -> String, _ event: TraceEvent, in load: LoadState, into hits: inout HitList
    ) {
        isReported = true
        hits.report(Self.rule, sentence(), at: event, in: load.lane)
    }
}
