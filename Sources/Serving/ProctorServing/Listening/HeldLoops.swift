internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorLoop

/// Says which request holds a loop, in the request's journal and to the server's owner.
package struct HeldLoops: Sendable {
    package let report: @Sendable (String) -> Void
    /// For what is no request of a scenario.
    package let sharedJournal: Journal

    package init(report: @escaping @Sendable (String) -> Void, sharedJournal: Journal) {
        (self.report, self.sharedJournal) = (report, sharedJournal)
    }

    /// On the watch's thread.
    package func record(_ held: LoopWatch.BusyLoop) {
        let note = HeldLoop(held)
        // First, since the loop may hold what a journal needs.
        report(Self.sentence(of: held, note))
        let journal = held.request?.owner as? Journal ?? sharedJournal
        journal.append(
            epoch: journal.state.epoch, connection: held.request?.connection, request: held.request?.request,
            .loopHeld(note))
    }

    /// With what the line of a journal says beside the entry.
    package static func sentence(of held: LoopWatch.BusyLoop, _ note: HeldLoop) -> String {
        guard let request = held.request, let journal = request.owner as? Journal, let scenario = journal.scenario
        else {
            return note.sentence
        }
        let run = journal.run.map { "run \($0), " } ?? ""
        return note.sentence + " (\(scenario), \(run)connection \(request.connection))"
    }
}

/// What a loop does for a request, as ``LoopRequest/step`` counts it.
enum LoopStep: UInt8 {
    case reply
    case script, condition, libraries
}

extension HeldLoop {
    package init(_ held: LoopWatch.BusyLoop) {
        let head = held.request.flatMap { RequestHead(object: $0.subject) }
        let step = held.request.flatMap { LoopStep(rawValue: $0.step) }
        let work: Work =
            switch step {
            case .script: .script
            case .condition: .condition
            case .libraries: .libraries
            case .reply: .reply
            case nil: .unknown
            }
        self.init(
            loop: held.loop, milliseconds: Int(held.nanoseconds / 1_000_000),
            line: head.map { head in
                "\(EscapedText.escape(head.methodBytes, limit: 40)) \(EscapedText.escape(head.targetBytes, limit: 260))"
            },
            work: work, exchange: step == .script || step == .condition ? held.request?.detail : nil)
    }
}

extension ConversationWire {
    /// Lets the watch of the loop know for which request the thread works from here on.
    func noteWork(_ head: RequestHead, _ journal: Journal, connection: Int, request: Int?) {
        loop.noteRequest(
            head.object, of: journal, number: journal.number, connection: connection, request: request ?? -1)
    }

    func noteStep(_ step: LoopStep, exchange: Int = 0) { loop.noteStep(step.rawValue, detail: exchange) }
}
