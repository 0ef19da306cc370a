import ProctorEvents

extension Rules {
    static let r38 = Rule(
        38, title: "cancelled by producing resume data",
        statement: """
            cancel(byProducingResumeData:) ends the load as cancelled, and its handler is called with data or with \
            nil. A load that ends so has handed over no file after the cancel.
            """,
        source: "NSURLSession.h; URLSessionDownloadTask", confidence: .documented, families: [.sessionDownload],
        monitors: [.load(R38ResumeDataCancel.self)],
        limits: """
            The cancel or its handler must name the selector (fact sel). R35 and R42 judge a download that had \
            finished before. Upload tasks hand over no file
            """,
        legal: "progress+ complete(cancelled)  # cancelled by producing resume data",
        illegal: "progress+ fileReady complete(cancelled)  # cancelled before fileReady")
}

/// The selector of a cancel, or of its handler, shows that it was to produce resume data.
struct R38ResumeDataCancel: RuleMonitor {
    static let interests: EventNameSet = [.cancel, .handler, .fileReady, .complete]

    private var isCancelled = false
    private var producesData = false
    private var hasLateFile = false
    private var endsCancelled = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard !endsCancelled || !producesData else { return nil }
        switch event.name {
        case .cancel:
            guard load.terminal == nil else { return nil }
            isCancelled = true
            if event.isOfResumeData { producesData = true }
        case .handler:
            if event.isOfResumeData { producesData = true }
        case .fileReady: if isCancelled { hasLateFile = true }
        default:
            if load.terminal == nil, event.argument == "cancelled" { endsCancelled = true }
        }
        guard producesData, hasLateFile, endsCancelled else { return nil }
        return Breach("fileReady came between the cancel that produces resume data and complete(cancelled)")
    }
}

extension TraceEvent {
    /// Whether the event belongs to `cancel(byProducingResumeData:)`.
    package var isOfResumeData: Bool {
        guard let selector = facts.text(.sel) else { return false }
        return selector.utf8.starts(with: "cancel(byProducing".utf8)
            || selector.utf8.starts(with: "cancelByProducing".utf8)
    }
}
