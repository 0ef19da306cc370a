import ProctorScenario
import ProctorTrace

extension CaseSitting {
    /// Why a lane is not judged; nil when another expression of the case speaks for it.
    struct NoEvents: Error {
        let text: String?
        /// Whether the client, or the API that it was asked as, has no such lane.
        var lacksLane = false
    }

    /// What an expression of that lane is held against; without `notation` whatever it could say.
    func view(of lane: CaseLane, for notation: Notation?) -> Result<FamilyView, NoEvents> {
        guard lane.lane == .task else {
            guard evidence.reports(lane.lane) else { return .failure(.cannotReport) }
            var events = trace.events.filter { lane.contains($0) }
            // What a session is asked about TLS belongs to a task, unless the case says otherwise.
            if lane.lane == .session, !item.namesSessionChallenges {
                events.removeAll { $0.name == .challenge && $0.isOfTLS }
            }
            let family = events.lazy.compactMap(\.family).first ?? family(ofStep: lane.number)
            var view = FamilyView(own: events, of: family, ignoring: lane.ignored)
            view.isUntold = { evidence.isPartial || never.cover($0) }
            return .success(view)
        }
        if trace.isOfProtocol {
            if item.lanes["protocolClient"] != nil { return .failure(NoEvents(text: nil)) }
        } else if !evidence.reports(.task) {
            return .failure(.cannotReport)
        }
        if let reason = mismatch(lane) { return .failure(reason) }
        if let task = tasks.first(where: { $0.number == lane.number }), isCancelledByRefusal(task) {
            let sentence = "a refused redirect cancels an NSURLDownload on platform \(platform.name)"
            return .failure(NoEvents(text: sentence, lacksLane: true))
        }
        var view = view(ofStep: lane.number, ignoring: lane.ignored)
        view.isUntold = { evidence.isPartial || isUntold($0, ofStep: lane.number) }
        if let reason = notation.flatMap({ view.reasonNotToJudge($0) }) {
            return .failure(NoEvents(text: reason, lacksLane: true))
        }
        return .success(view)
    }

    /// The load of a step, whether a task brought it or the objects of a URLProtocol.
    func view(ofStep step: Int, ignoring ignored: [String] = []) -> FamilyView {
        guard trace.isOfProtocol else {
            let events = trace.events.filter { $0.lane == .task && $0.task == step && $0.phase == .enter }
            let family = events.lazy.compactMap(\.family).first ?? family(ofStep: step)
            return FamilyView(load: events, of: family, ignoring: ignored, isCancelled: isCancelled(step))
        }
        let objects = ObjectSuccession(ofTask: step, in: trace.events, tellsAnswers: tellsAnswers)
        // An object that was stopped is silent (R50); lane proto, where there is one, tells whether it was.
        return FamilyView(
            load: objects.events, of: .PC, ignoring: ignored, isCancelled: isCancelled(step) && !objects.isRunning)
    }

    private func isCancelled(_ step: Int) -> Bool {
        trace.events.contains {
            $0.lane == .harness && $0.name == .cancel && $0.task == step || $0.cancelsSession
        }
    }

    // MARK: What nobody tells

    /// Of each step whose family lets something go unsaid, what that is.
    func untoldFacts() -> [Int: ClientRecord.Untold] {
        item.client.indices.reduce(into: [:]) { untold, step in
            if let task = tasks.first(where: { $0.number == step }), isCancelledByRefusal(task) {
                untold[step] = .everything
            } else if view(ofStep: step).isSilent {
                untold[step] = .error
            }
        }
    }

    private func isCancelledByRefusal(_ task: TaskSurvey) -> Bool {
        if task.isCancelledByRefusal(on: platform) { return true }
        // Without answers in the trace, the program says what they were.
        guard task.family == .DL, platform.refusedDownloadRedirect == .cancel, !tellsAnswers,
            item.client.indices.contains(task.number)
        else { return false }
        let hasRedirect = trace.events.contains {
            $0.lane == .task && $0.task == task.number && $0.name == .redirect
        }
        return hasRedirect
            && item.client[task.number].onRedirect.contains { if case .refuse = $0 { true } else { false } }
    }

    // MARK: Which expression speaks for which trace

    /// `task:` speaks for loads with a delegate, `download:` for downloads; what the program itself asks for also for it.
    private func mismatch(_ lane: CaseLane) -> NoEvents? {
        let family = family(ofStep: lane.number)
        let seen = Kind(family)
        let asked = item.client.indices.contains(lane.number) ? Kind(item.client[lane.number].task.family) : .delegate
        let suffix = lane.number == 0 ? "" : "[\(lane.number)]"
        let other = item.lanes[(lane.isDownload ? "task" : "download") + suffix]
        if lane.isDownload {
            if seen == .download { return nil }
            if other != nil { return NoEvents(text: nil) }
            if family == .PC { return NoEvents(text: "a URLProtocol knows no downloads", lacksLane: true) }
            if seen == asked { return nil }
        } else {
            if seen == .download, other != nil { return NoEvents(text: nil) }
            if seen == asked || seen == .delegate && asked == .download { return nil }
        }
        return NoEvents(
            text: "the trace is of \(family.noun), for which the case has no expression", lacksLane: true)
    }

    private enum Kind {
        case delegate, download, handler

        init(_ family: CallbackFamily) {
            self = family.isDownload ? .download : family == .HT ? .handler : .delegate
        }
    }
}

extension CaseSitting.NoEvents {
    fileprivate static let cannotReport = Self(text: "the client cannot report what happens there", lacksLane: true)
}
