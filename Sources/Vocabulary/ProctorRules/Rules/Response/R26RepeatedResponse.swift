import ProctorEvents

struct R26RepeatedResponse: RuleMonitor {
    static let interests: EventNameSet = [.response, .challenge, .redirect, .answer, .suspend, .complete, .metrics]

    private var response = DefinitiveResponse()
    private var requestCount = 0
    private var redirect: KeptEvent?
    private var wasSuspended = false
    /// Whether another rule reports the current response: R4, R5 or R8.
    private var isExcused = false
    /// Whether the load's only response so far has the type of the whole multipart content.
    private var isWhole = false
    private var hasData = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        defer { response.see(event) }
        switch event.name {
        case .response where !event.isInterim: return checkResponse(event, load)
        case .redirect: redirect = KeptEvent(event)
        case .suspend: wasSuspended = response.status != nil
        case .answer:
            // A response before the redirect's answer is R8, one after a refusal R5.
            if load.questionName(answeredBy: event) == .redirect {
                isExcused = response.status != nil || event.argument == "refuse"
            }
        case .metrics: hasData = load.previous?.name == .data
        case .complete where event.isSuccess && isWhole && (load.previous?.name == .data || hasData):
            return Breach("all data of multipart/x-mixed-replace came after one response; each part has its own")
        default: break
        }
        return nil
    }

    private mutating func checkResponse(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        isWhole = response.status == nil && event.facts.text(.mime) == "multipart/x-mixed-replace"
        defer {
            requestCount = load.wireRequestCount
            wasSuspended = false
        }
        guard let status = response.status, !isExcused else { return nil }
        // The response of a followed redirect is R4.
        if let redirect, redirect.status == status { return nil }
        let why: String
        if event.status != status {
            why = "has another status than response(\(status)) before it"
        } else if load.wireRequestCount > requestCount {
            why = "answers another request (\(load.wireRequestCount) on the wire)"
        } else if wasSuspended {
            why = "came after a suspend, as if the load began anew"
        } else {
            return nil
        }
        return Breach(
            "a second \(event.symbol) \(why); only parts of multipart/x-mixed-replace repeat it", isInferred: true)
    }
}
