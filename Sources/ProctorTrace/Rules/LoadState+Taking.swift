extension LoadState {
    /// Goes on to the state after `event`; exits of callbacks change nothing.
    func take(_ event: TraceEvent) {
        guard event.phase == .enter else { return }
        switch event.lane {
        case .task, .protocolClient: takeLane(event)
        case .harness: takeHarness(event)
        case .wire:
            if event.name == .request {
                wireRequestCount += 1
                lastWireMethod = event.argument.map { String($0.utf8.prefix { $0 != 0x20 }) ?? "" }
                if lastWireMethod == "CONNECT" { tunnelRequestCount += 1 }
            }
        case .proto: takeObject(event)
        case .handler:
            // The handler of a cancel by producing resume data is not that of the task.
            if handled == nil, event.name == .handler || event.name == .awaited, !event.isOfResumeData {
                handled = KeptEvent(event)
                isOver = true
            }
        case .session: break
        }
    }

    private func takeLane(_ event: TraceEvent) {
        eventCount += 1
        previous = event
        if task == nil, event.lane == .protocolClient { task = event.task }
        switch event.name {
        case .data, .progress, .bodySent: return
        case .redirect: redirectCount += 1
        case .response:
            responseCount += 1
            lastStatus = event.argument.flatMap { Int($0) }
        case .challengeCancelled:
            if let open = openQuestions.firstIndex(where: { $0.name == .challenge }) { openQuestions.remove(at: open) }
        default: break
        }
        // A log that has answers to challenges need not have any to other questions.
        let isQuestion = family.questions.contains(event.name) && (!isPartial || event.name == .challenge)
        if isQuestion, openQuestions.count < Self.mostOpenQuestions {
            openQuestions.append(event)
        }
        if family.isEnded(by: event.name), terminal == nil {
            terminal = KeptEvent(event)
            isOver = true
        }
    }

    /// The first one counts.
    private func keepCancellation(_ event: TraceEvent) {
        if cancellation == nil { cancellation = KeptEvent(event) }
    }

    /// Whether it refuses a redirect of an NSURLDownload on a platform that cancels the download then (R5).
    private func cancelsDownload(_ answer: TraceEvent) -> Bool {
        family == .DL && platform.refusedDownloadRedirect == .cancel && answer.refusesRedirect
    }

    private func takeObject(_ event: TraceEvent) {
        if task == nil { task = event.task }
        switch event.name {
        case .pStart: isStarted = true
        case .pStop:
            isStopped = true
            openQuestions.removeAll(keepingCapacity: true)
        case .pDeinit:
            isGone = true
            isOver = true
        default: break
        }
    }

    private func takeHarness(_ event: TraceEvent) {
        switch event.name {
        case .answer:
            seesAnswers = true
            if let open = indexOfQuestion(answeredBy: event) { openQuestions.remove(at: open) }
            if event.argument == "cancel" || cancelsDownload(event) { keepCancellation(event) }
        case .resume:
            isResumed = true
            isSuspended = false
        case .suspend: isSuspended = true
        case .cancel: keepCancellation(event)
        case .invalidate:
            if invalidation == nil { invalidation = KeptEvent(event) }
            if event.argument != "finish" { keepCancellation(event) }
        default: return
        }
        seesHarness = true
    }
}
