import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorProgram
import ProctorScenario

/// The keys of a step about the course of its load: when it is cancelled, suspended, answered and resumed.
extension ActRow {
    static let ofCourse: [ActRow] = [
        ActRow(
            "answerAfter", .answerLater, says: ofStep { $0.answerAfter.map(milliseconds) },
            .run { acts in
                acts.program.answerAfter.flatMap { acts.lackOfDelay($0) }
            }),
        ActRow("cancelAt", .cancel, says: ofStep { $0.cancelAt.map(\.word) }, .run(lackOfCancel)),
        ActRow(
            "suspendAt", .suspend, says: ofStep { $0.suspendAt.map(\.word) },
            .run { acts in
                acts.program.suspendAt.flatMap {
                    acts.lackOfAct(acts.acts(.suspend).first, at: $0, "the load was suspended")
                }
            }),
        ActRow(
            "cancelAfter", .cancelAnywhere, says: ofStep { $0.cancelAfter.map { "step \($0)" } },
            .run { acts in
                acts.program.cancelAfter.flatMap { acts.lack(of: .cancel, behindStep: $0, "the load was cancelled") }
            }),
        ActRow(
            "suspendUntil", .backPressure, says: ofStep { $0.suspendUntil.map { "step \($0)" } },
            .run { acts in
                acts.program.suspendUntil.flatMap { acts.lack(of: .resume, behindStep: $0, "the load went on") }
            }),
        ActRow(
            "suspendFor", .suspend,
            says: ofStep { $0.suspendAt == nil || $0.suspendUntil != nil ? nil : milliseconds($0.suspendFor) },
            .run(lackOfPause)),
        ActRow("timeout", .timeLimitSilence, says: ofStep { $0.timeout.map(milliseconds) }, .control(.silence)),
        ActRow(
            "resume", .resume, says: ofStep { $0.resume.map { "step \($0)" } },
            .run { acts in
                let isAsked = acts.requests.contains { !$0.head.fields.values(named: "Range").isEmpty }
                return isAsked || acts.requests.isEmpty ? nil : "no request asked for a range"
            }),
        ActRow("together", .severalLoads, says: ofStep { $0.isTogether ? "true" : nil }, .run(lackOfOverlap)),
        ActRow(
            "launch", .secondLaunch, says: ofStep { $0.isLaunch ? "true" : nil },
            .run { acts in
                let isLaunched = acts.grading.trace.events.contains { $0.name == .launched && $0.task == acts.step }
                return isLaunched ? nil : "no process was started for it"
            }),
        ActRow(
            "producesResumeData", .resume, says: ofStep { $0.producesResumeData ? "true" : nil },
            .run { acts in
                guard let cancel = acts.acts(.cancel).first else { return nil }
                let isProducing = cancel.facts.text(.sel)?.contains(text: "ResumeData") ?? false
                return isProducing ? nil : "the call of the cancel was not the one that produces resume data"
            }),
        ActRow("cachePolicy", .cachePolicy, says: ofStep { $0.cachePolicy?.rawValue }, .control(.cache)),
        ActRow(
            "schedule", .scheduling, says: ofStep { $0.schedule.map(\.place.rawValue) },
            .run { acts in
                acts.acts(.schedule).isEmpty ? "nothing shows that the load was scheduled" : nil
            }),
        ActRow(
            "protocolScript", .urlProtocol, says: ofStep { $0.protocolScript == nil ? nil : "a script" },
            .run { acts in
                let isCalled = acts.grading.trace.events.contains { $0.lane == .protocolClient }
                // A script that is stopped may have called nothing yet.
                return isCalled || !acts.acts(.cancel).isEmpty || !acts.grading.evidence.reports(.protocolClient)
                    ? nil : "no call of the script came"
            }),
        ActRow(
            "page", .cors, says: ofStep { $0.page == nil ? nil : "a page" },
            .run { acts in
                let isOfPage = acts.requests.contains { request in
                    ["Origin", "Referer", "Sec-Fetch-Mode"].contains { !request.values($0).isEmpty }
                }
                // With that policy a request to the page's own origin tells nothing of it.
                let tellsNothing = acts.program.step.fetch?.referrerPolicy == .noReferrer
                return isOfPage || tellsNothing || acts.requests.isEmpty ? nil : "no request tells of a page"
            }),
        ActRow("byHand", .storeAccess, says: ofStep { $0.byHand.first?.word }, .control(.store)),
        ActRow(
            "protocols", .websocket, says: ofStep { $0.protocols.isEmpty ? nil : $0.protocols.joined(separator: ", ") },
            .run { acts in
                let isOffered = acts.requests.contains { !$0.values("Sec-WebSocket-Protocol").isEmpty }
                return isOffered || acts.requests.isEmpty ? nil : "no request offered a protocol"
            }),
    ]

    private static func milliseconds(_ count: Int) -> String { "\(count) ms" }

    @Sendable private static func lackOfCancel(_ acts: SeenActs) -> String? {
        guard let moment = acts.program.cancelAt else { return nil }
        let cancel = acts.acts(.cancel).first
        guard cancel == nil else { return acts.lackOfAct(cancel, at: moment, "the load was cancelled") }
        // A client without callbacks tells the end alone, and a test that cancels by itself tells no act.
        if acts.end?.name == .complete, acts.end?.argument == "cancelled" { return nil }
        if !acts.grading.evidence.reportsLoads, acts.grading.results.errorName(ofStep: acts.step) != nil { return nil }
        return acts.lackOfAct(cancel, at: moment, "the load was cancelled")
    }

    @Sendable private static func lackOfPause(_ acts: SeenActs) -> String? {
        guard let suspend = acts.acts(.suspend).first else { return "nothing shows that the load was suspended" }
        guard let resume = acts.acts(.resume).first(where: { $0.sequence > suspend.sequence }) else {
            let isOver = acts.acts(.cancel).contains { $0.sequence > suspend.sequence } || acts.end != nil
            return isOver ? nil : "nothing shows that the load went on"
        }
        return SeenActs.lackOfTime(acts.program.suspendFor, from: suspend, to: resume, "it went on")
    }

    /// Two loads run together when one begins before the other has ended.
    @Sendable private static func lackOfOverlap(_ acts: SeenActs) -> String? {
        let before = SeenActs(grading: acts.grading, step: acts.step - 1)
        guard let begin = acts.acts(.resume).first, let end = before.end, end.sequence < begin.sequence else {
            return nil
        }
        return "the step before had ended when it began"
    }
}

extension SeenActs {
    /// Why no such act came behind the end of another step; nil when one came.
    fileprivate func lack(of name: EventName, behindStep other: Int, _ what: String) -> String? {
        let end = SeenActs(grading: grading, step: other).end
        let isDone = acts(name).contains { act in end.map { act.sequence > $0.sequence } ?? false }
        return isDone ? nil : "nothing shows that \(what) behind the end of step \(other)"
    }
}
