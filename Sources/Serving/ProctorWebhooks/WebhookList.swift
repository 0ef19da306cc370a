internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// The webhooks of an exchange, which are sent one after the other behind each of its replies.
struct WebhookList: WebhookSending {
    private let webhooks: [Webhook]

    init(_ webhooks: [Webhook]) { self.webhooks = webhooks }

    var lateUse: LateUse {
        var use = LateUse()
        for webhook in webhooks { use.merge(webhook.lateUse) }
        return use
    }

    func beginSending(
        _ inputs: consuming PlanInputs, in stage: Stage, through gate: OutgoingGate, _ log: RequestLog,
        on loop: EventLoop
    ) {
        var inputs = inputs
        var bound: [Result<BoundWebhook, WebhookFailure>] = []
        for webhook in webhooks {
            let number = stage.tasks.nextNumber()
            do throws(WebhookFailure) {
                bound.append(.success(try BoundWebhook(webhook, number: number, through: gate, &inputs)))
            } catch {
                // A webhook that can't be sent is a fault of the scenario or of what the client said of its listener.
                log.append(
                    .webhook(
                        WebhookNote(
                            number, attempt: 0,
                            .unanswered(reason: "it is not sent", fault: "it can't be sent: \(error.sentence)"))))
            }
        }
        let ready = bound.compactMap { try? $0.get() }
        guard !ready.isEmpty else { return }
        let sending = WebhookSequence(webhooks: ready, clock: stage.clock, log: log, loop: loop)
        let isBegun = stage.tasks.beginTask { end in
            Task(executorPreference: loop) {
                await sending.run()
                end()
            }
        }
        guard !isBegun else { return }
        let sentence = "\(StageTasks.limit) replies of the run have webhooks under way, which is the limit"
        for webhook in ready {
            log.append(
                .webhook(
                    WebhookNote(webhook.number, attempt: 0, .unanswered(reason: "it is not sent", fault: sentence))))
        }
    }
}

/// Sends webhooks one after the other, each until its tries are over; runs as a task of the loop.
struct WebhookSequence: Sendable {
    let webhooks: [BoundWebhook]
    let clock: RunClock
    let log: RequestLog
    let loop: EventLoop

    func run() async {
        for webhook in webhooks {
            guard await send(webhook) else { return }
        }
    }

    /// False where the task was cancelled.
    private func send(_ bound: BoundWebhook) async -> Bool {
        let webhook = bound.webhook
        if let delay = webhook.delay { guard await loop.sleep(for: delay) else { return false } }
        var attempt = 0
        for _ in 0..<webhook.count {
            var waits = webhook.retries[...]
            while true {
                let pieces: [[UInt8]]
                do throws(WebhookFailure) {
                    pieces = try bound.pieces(at: clock.unixSeconds)
                } catch {
                    noteEvent(
                        bound, attempt,
                        .unanswered(reason: "it is not sent", fault: "it can't be sent: \(error.sentence)"))
                    return true
                }
                noteEvent(
                    bound, attempt,
                    .sent(
                        url: bound.url.text, id: EscapedText.escape(bound.id, limit: 200),
                        byteCount: bound.content.count, mistake: bound.mistakes))
                let outcome = await WebhookTry(webhook: bound, loop: loop).run(pieces)
                let wait = waits.popFirst()
                guard let isOver = judge(outcome, of: bound, attempt, isLast: wait == nil) else { return false }
                attempt += 1
                guard let wait, !isOver else { break }
                guard await loop.sleep(for: wait) else { return false }
            }
        }
        return true
    }

    /// Whether no further try follows; nil where the task was cancelled.
    private func judge(
        _ outcome: WebhookTry.Outcome, of bound: BoundWebhook, _ attempt: Int, isLast: Bool
    ) -> Bool? {
        let wanted = bound.webhook.wanted
        let because = bound.mistakes.map { " (\($0))" } ?? ""
        switch outcome {
        case .answered(let status, let milliseconds):
            let isOver = isLast || 200...299 ~= status
            let fault =
                isOver && !wanted.permits(status)
                ? "the listener answered \(status); wanted \(wanted.text)\(because)" : nil
            noteEvent(bound, attempt, .answered(status: status, milliseconds: milliseconds, fault: fault))
            return isOver
        case .unanswered(let sentence):
            let fault = isLast && wanted != .any ? "\(sentence); wanted \(wanted.text)\(because)" : nil
            noteEvent(bound, attempt, .unanswered(reason: sentence, fault: fault))
            return isLast
        case .cancelled: return nil
        }
    }

    private func noteEvent(_ bound: BoundWebhook, _ attempt: Int, _ event: WebhookNote.Event) {
        log.append(.webhook(WebhookNote(bound.number, attempt: attempt, event)))
    }
}
