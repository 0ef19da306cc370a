internal import Foundation
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One load from its first object to its last; used on the client thread only.
final class ProtocolLoad {
    let run: ProtocolRun
    private var objects: [Driven] = []
    private var redirectCount = 0
    private var redirects: AnswersInTurn<Assignment.RedirectAnswer>
    private var challenges: AnswersInTurn<Assignment.ChallengeAnswer>
    private var outcome = LoadOutcome()
    /// The time until which late calls are recorded; set after the last stop.
    private var listensUntil: UInt64?
    /// Stopped objects, each with the time until which it is kept.
    private var kept: [(object: URLProtocol, until: UInt64)] = []

    private struct Driven {
        let number: Int
        /// The object until its stop; then nil.
        var held: URLProtocol?
        let watched: WeakReference<URLProtocol>
        var isStarted = false
        var isGone = false
    }

    init(_ run: ProtocolRun) {
        self.run = run
        redirects = AnswersInTurn(run.program.onRedirect)
        challenges = AnswersInTurn(run.program.onChallenge)
    }

    func wants(_ object: Int) -> Bool { listensUntil == nil && object == run.object }

    // MARK: Beginning

    /// Calls the class and makes an object on another thread; the former object runs until the new one is started.
    ///
    /// Stopping it first is permitted too (R51), but this order shows whether an object continues after its redirect.
    func startObject(_ request: URLRequest, replacing former: Int? = nil) {
        let preparation = ProtocolPreparation(run: run, number: run.makeObject())
        Thread.detachNewThread {
            let (client, number) = (preparation.run.client, preparation.number)
            switch preparation.prepare(request) {
            case .refused(let reason): client.post { $0.finish(message: reason) }
            case .made(let object): client.post { $0.start(number, object.value, replacing: former) }
            }
        }
    }

    private func start(_ number: Int, _ object: URLProtocol, replacing former: Int?) {
        var driven = Driven(number: number, held: object, watched: WeakReference(object))
        guard wants(number), !run.isCancelled(at: .beforeResume, of: number) else {
            driven.held = nil
            objects.append(driven)
            return finish(message: "stopped before it was started")
        }
        driven.isStarted = true
        objects.append(driven)
        run.giveThread(to: number)
        let event = run.record(.proto, .pStart, object: number)
        object.startLoading()
        run.recorder.recordReturn(of: event)
        tellTask()
        if let former { stop(former) }
        if run.isCancelled(at: .afterResume, of: number) { finish(message: "stopped by the program") }
    }

    /// Records events that no protocol can cause; only for a driver with a deliberate fault.
    private func tellTask() {
        let event: TraceEvent? =
            switch run.program.fault {
            case .tellsUpload:
                TraceEvent(
                    lane: .task, task: run.task, name: .bodySent, family: .sessionHandler,
                    facts: .arithmetic(n: 1, total: 1, expected: -1))
            case .asksForTheStore:
                TraceEvent(lane: .task, task: run.task, name: .askCredStore, family: .sessionHandler)
            case .asksOfSpaces:
                TraceEvent(
                    lane: .task, task: run.task, name: .askCanAuth, argument: "basic", family: .sessionHandler)
            default: nil
            }
        if let event { run.recorder.record(event) }
    }

    // MARK: Calls of the object

    /// Handles a call of an object, one turn of the run loop later.
    func hear(_ call: ProtocolClientCall, from object: Int, isCancelled: Bool) {
        guard wants(object) else { return }
        outcome.apply(call)
        switch call {
        case _ where isCancelled: finish(message: "stopped by the program")
        case .redirect(let request, _): decide(on: request, from: object)
        case .challenge(let challenge): decide(on: challenge, from: object)
        case .finish, .fail: finish()
        case .cancelChallenge, .response, .data, .cacheValidated: break
        }
    }

    private func decide(on request: URLRequest, from object: Int) {
        let answer = redirects.nextAnswer() ?? .follow
        redirectCount += 1
        guard let delay = run.program.answerAfter else { return answerRedirect(answer, to: request, of: object) }
        run.client.post(after: delay) { $0.answerRedirect(answer, to: request, of: object) }
    }

    private func answerRedirect(_ answer: Assignment.RedirectAnswer, to request: URLRequest, of object: Int) {
        guard wants(object) else { return }
        switch answer {
        case .follow, .change:
            run.recordAnswer(answer.word, to: .redirect, of: object)
            guard redirectCount <= run.program.redirectLimit else {
                outcome.giveUp(URLError(.httpTooManyRedirects))
                return finish(message: "more than \(run.program.redirectLimit) redirects")
            }
            var next = request
            if case .change(let method, let url, let headers) = answer {
                // When the URL is invalid, the proposed one is used.
                next =
                    request.changed(method: method, url: url, headers: headers)
                    ?? request.changed(method: method, url: nil, headers: headers) ?? request
            }
            startObject(next, replacing: object)
        case .refuse:
            run.recordAnswer(answer.word, to: .redirect, of: object)
            let refused = objects.first { $0.number == object }?.held as? any RedirectAnswering
            refused?.redirectRefused()
        case .cancel:
            run.record(.harness, .cancel, object: object)
            finish(message: "stopped by the program")
        case .never: break
        case .cancelThenFollow, .cancelThenRefuse, .twice:
            cannot("\"\(answer.word)\" to a redirect: a URLProtocol takes no answer to one")
        }
    }

    private func cannot(_ reason: String) { run.record(.harness, .unimplemented, argument: reason) }

    // MARK: Challenges

    private func decide(on challenge: URLAuthenticationChallenge, from object: Int) {
        let answer = challenges.nextAnswer() ?? .performDefault
        guard let delay = run.program.answerAfter else { return answerChallenge(answer, to: challenge, of: object) }
        let handed = Handover(value: challenge)
        run.client.post(after: delay) { $0.answerChallenge(answer, to: handed.value, of: object) }
    }

    /// Answers a challenge, unless it was cancelled.
    private func answerChallenge(
        _ answer: Assignment.ChallengeAnswer, to challenge: URLAuthenticationChallenge, of object: Int
    ) {
        guard !run.isWithdrawn(challenge), wants(object) else { return }
        for act in answer.planOfURLCredential {
            switch act {
            case .cancel:
                run.record(.harness, .cancel, object: object)
                finish(message: "stopped by the program")
            case .unimplemented(let reason): cannot(reason)
            case .answer(let answer): callSender(answer, to: challenge, of: object)
            }
        }
    }

    /// Calls the sender on the client thread (R48), after recording the answer.
    private func callSender(
        _ answer: Assignment.ChallengeAnswer, to challenge: URLAuthenticationChallenge, of object: Int
    ) {
        guard let sender = challenge.sender else { return cannot("an answer to a challenge that has no sender") }
        guard !answer.isOfTLS else { return cannot("\"\(answer.word)\" to a challenge") }
        run.recordAnswer(answer.word, to: .challenge, of: object)
        switch answer {
        case .useNone: sender.continueWithoutCredential(for: challenge)
        case .cancel: sender.cancel(challenge)
        case .reject:
            #if canImport(Darwin)
                sender.rejectProtectionSpaceAndContinue?(with: challenge)
            #else
                sender.rejectProtectionSpaceAndContinue(with: challenge)
            #endif
        default:
            if let credential = answer.credential?.urlCredential { return sender.use(credential, for: challenge) }
            #if canImport(Darwin)
                sender.performDefaultHandling?(for: challenge)
            #else
                sender.performDefaultHandling(for: challenge)
            #endif
        }
    }

    // MARK: Ending

    /// Stops the current object; ``lookRound()`` finds the end.
    func finish(message: String? = nil) {
        guard listensUntil == nil else { return }
        if let message { outcome.message = message }
        for driven in objects where driven.held != nil { stop(driven.number) }
        listensUntil = MonotonicClock.nanoseconds &+ run.program.settling.wholeNanoseconds
    }

    /// Stops the object after the end of the trace, so that it releases what it owns.
    func abandon() {
        finish()
        run.client.stop()
    }

    private func stop(_ number: Int) {
        guard let index = objects.firstIndex(where: { $0.number == number }), let object = objects[index].held else {
            return
        }
        objects[index].held = nil
        if let time = run.program.keepsFor {
            kept.append((object, MonotonicClock.nanoseconds &+ time.wholeNanoseconds))
        }
        guard objects[index].isStarted, run.program.fault != .neverStops else { return }
        run.giveThread(to: number)
        let event = run.record(.proto, .pStop, object: number)
        object.stopLoading()
        run.recorder.recordReturn(of: event)
    }

    /// Called at each turn of the run loop: finds released objects and the end of the load.
    func lookRound() {
        kept.removeAll { $0.until <= MonotonicClock.nanoseconds }
        for index in objects.indices where !objects[index].isGone && objects[index].watched.object == nil {
            objects[index].isGone = true
            run.record(.proto, .pDeinit, object: objects[index].number)
        }
        guard let listensUntil else { return }
        guard objects.allSatisfy(\.isGone) || MonotonicClock.nanoseconds >= listensUntil else { return }
        run.close(result: outcome.facts(asking: run.program.fieldNames))
        run.client.stop()
    }
}

struct LoadOutcome {
    /// The driver's reason for the end, when the protocol gave none.
    var message: String?
    private var response: URLResponse?
    private var body = KeptBody()
    private var error: (any Error)?

    /// A further response begins the body again (R26).
    mutating func apply(_ call: ProtocolClientCall) {
        switch call {
        case .response(let response, _):
            self.response = response
            body = KeptBody()
        case .data(let data):
            body.append(data)
        case .cacheValidated(let cached):
            response = cached.response
            body = KeptBody(cached.data, byteCount: cached.data.count)
        case .fail(let error): self.error = error
        case .redirect, .challenge, .cancelChallenge, .finish: break
        }
    }

    /// The loading system ends the load with an error of its own.
    mutating func giveUp(_ error: URLError) { self.error = error }

    /// The facts for a `result`, with the header fields of these names.
    func facts(asking names: [String]) -> EventFacts {
        var facts = (response?.resultFacts(asking: names) ?? []).appending(body.facts)
        if let error {
            let failure = EventDetail(error)
            facts.add(.error, failure.argument)
            facts = facts.appending(failure.facts)
        }
        // The first fact of a key is used, so the driver's reason replaces the protocol's.
        if let message { facts = EventFacts([EventFact(.message, .text(message))] + Array(facts)) }
        return facts
    }
}
