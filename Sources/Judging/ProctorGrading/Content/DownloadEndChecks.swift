import ProctorEvents
import ProctorRules

/// Reports `cancelByProducingResumeData` whose handler was never called: the handler gets data, or nil (NSURLSession.h,
/// R38).
enum ResumeHandlerCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        guard evidence.isComplete, !evidence.isScripted else { return [] }
        var cancels: [Int: TraceEvent] = [:]
        var answered: Set<Int> = []
        var cancelled: Set<Int> = []
        for event in evidence.events where event.phase == .enter {
            switch event.name {
            case .cancel where event.isOfResumeData && !cancelled.contains(event.task):
                cancels[event.task] = cancels[event.task] ?? event
            case .handler where event.isOfResumeData: answered.insert(event.task)
            case .complete where event.lane == .task: cancelled.insert(event.task)
            default: break
            }
        }
        // When no such handler occurs in the trace, the recorder may not record them.
        guard evidence.reportsHandlers else { return [] }
        return cancels.keys.sorted().compactMap { task in
            guard let cancel = cancels[task], cancelled.contains(task), !answered.contains(task) else { return nil }
            return cancel.fault(
                "handler", wanted: "called with data or with nil", got: "never called",
                reason: "cancel(byProducingResumeData:) was called (NSURLSession.h)", rule: 38)
        }
    }
}

/// Checks what remains after a successful download: no resume data, and the file that it had to make.
enum LeftoverCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        let files: Set<CallbackFamily> = [.sessionDownload, .download]
        guard files.contains(load.family), let result = load.events.last(where: { $0.name == .result }),
            result.facts[.error] == nil, result.facts[.message] == nil,
            load.events.contains(where: { $0.name == .complete && $0.argument == URLErrorName.success })
        else { return [] }
        var faults: [ContentFault] = []
        if result.facts.flag(.resumeData) == true {
            faults.append(
                result.fault(
                    "resumeData", wanted: "none", got: "some",
                    reason: "the download is complete, and only an error or a cancel gives some (NSURLSession.h)"))
        }
        if load.family == .download, result.facts.flag(.fileExists) == false {
            faults.append(
                result.fault(
                    "fileExists", wanted: "true", got: "false",
                    reason: "the download ended well, and its file is deleted only when it fails (NSURLDownload.h)"))
        }
        return faults
    }
}
