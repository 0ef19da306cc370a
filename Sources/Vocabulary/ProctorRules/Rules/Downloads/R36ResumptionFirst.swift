import ProctorEvents

/// NSURLConnection's downloads and background sessions resume by themselves at any time, and are not checked.
struct R36ResumptionFirst: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [.progress, .downloadResumed, .response]

    private var sawProgress = false
    private var isResumed = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        switch event.name {
        case .progress: sawProgress = true
        case .downloadResumed:
            defer { isResumed = true }
            if isResumed { return Breach("downloadResumed comes a second time") }
            if load.family == .download, load.responseCount > 0 {
                return Breach("downloadResumed after response; a resumed NSURLDownload gets it instead of response")
            }
            if load.family == .sessionDownload, sawProgress {
                return Breach("downloadResumed after progress; the offset must be told first")
            }
        default:
            guard load.family == .download, isResumed else { return nil }
            return Breach(
                "\(event.symbol) after downloadResumed; a restart should be another downloadResumed(0)",
                isInferred: true)
        }
        return nil
    }
}
