internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop

/// Says which request holds a loop, in the request's journal and to the server's owner.
struct HeldLoops: Sendable {
    let report: @Sendable (String) -> Void
    /// For what is no request of a scenario.
    let sharedJournal: Journal

    /// On the watch's thread.
    func note(_ held: LoopWatch.Held) {
        let note = HeldLoop(held)
        // First, since the loop may hold what a journal needs.
        report(Self.sentence(of: held, note))
        let journal = held.request?.owner as? Journal ?? sharedJournal
        journal.append(
            epoch: journal.state.epoch, connection: held.request?.connection, request: held.request?.request,
            .loopHeld(note))
    }

    /// With what the line of a journal says beside the entry.
    static func sentence(of held: LoopWatch.Held, _ note: HeldLoop) -> String {
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
    init(_ held: LoopWatch.Held) {
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
                "\(EscapedText.of(head.methodBytes, limit: 40)) \(EscapedText.of(head.targetBytes, limit: 260))"
            },
            work: work, exchange: step == .script || step == .condition ? held.request?.detail : nil)
    }
}

extension RequestChannel {
    /// Lets the watch of the loop know for which request the thread works from here on.
    func noteWork(_ head: RequestHead, _ journal: Journal, connection: Int, request: Int?) {
        socket.loop.noteRequest(
            head.object, of: journal, number: journal.number, connection: connection, request: request ?? -1)
    }

    func noteStep(_ step: LoopStep, exchange: Int = 0) { socket.loop.noteStep(step.rawValue, detail: exchange) }
}
