import ProctorEvents

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
