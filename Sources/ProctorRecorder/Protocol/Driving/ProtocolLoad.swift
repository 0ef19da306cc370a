internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One load from its first object to its last; lives on the client thread and nowhere else.
final class ProtocolLoad {
    let run: ProtocolRun
    private var objects: [Driven] = []
    private var redirectCount = 0
    var challengeCount = 0
    private var outcome = LoadOutcome()
    /// Set once nothing is wanted of any object any more: until when late calls are listened for.
    private var listensUntil: UInt64?

    /// An object and how far it is.
    private struct Driven {
        let number: Int
        /// Let go of when it is stopped.
        var held: URLProtocol?
        let watched: WeakReference<URLProtocol>
        var isStarted = false
        var isGone = false
    }

    init(_ run: ProtocolRun) { self.run = run }

    /// Whether the load still wants to hear of that object.
    func wants(_ object: Int) -> Bool { listensUntil == nil && object == run.object }

    // MARK: Beginning

    /// Has the class asked and an object made, on another thread; the object it replaces runs until the new one does.
    ///
    /// The other order would be right as well (R51); this one gives an object that goes on after its redirect the time to
    /// show it.
    func begin(_ request: URLRequest, replacing former: Int? = nil) {
        let preparation = ProtocolPreparation(run: run, number: run.makeObject())
        Thread.detachNewThread {
            let (client, number) = (preparation.run.client, preparation.number)
            switch preparation.prepare(request) {
            case .refused(let reason): client.post { $0.end(message: reason) }
            case .made(let object): client.post { $0.start(number, object.value, replacing: former) }
            }
        }
    }

    private func start(_ number: Int, _ object: URLProtocol, replacing former: Int?) {
        var driven = Driven(number: number, held: object, watched: WeakReference(object))
        guard wants(number), !run.isCancelled(at: "before-resume", of: number) else {
            driven.held = nil
            objects.append(driven)
            return end(message: "stopped before it was started")
        }
        driven.isStarted = true
        objects.append(driven)
        run.giveThread(to: number)
        let event = run.record(.proto, .pStart, object: number)
        object.startLoading()
        run.recorder.recordReturn(of: event)
        if run.program.fault == .tellsUpload { tellUpload() }
        if let former { stop(former) }
        if run.isCancelled(at: "after-resume", of: number) { end(message: "stopped by the program") }
    }

    private func tellUpload() {
        run.recorder.record(
            TraceEvent(
                lane: .task, task: run.task, name: .bodySent, family: .HT,
                facts: .arithmetic(n: 1, total: 1, expected: -1)))
    }

    // MARK: What the object says

    /// A call that an object made, one turn of the run loop later.
    func hear(_ call: ProtocolClientCall, from object: Int, isCancelled: Bool) {
        guard wants(object) else { return }
        outcome.take(call)
        switch call {
        case _ where isCancelled: end(message: "stopped by the program")
        case .redirect(let request, _): decide(on: request, from: object)
        case .challenge(let challenge): decide(on: challenge, from: object)
        case .finish, .fail: end()
        case .cancelChallenge, .response, .data, .cacheValidated: break
        }
    }

    private func decide(on request: URLRequest, from object: Int) {
        let answer = run.program.redirectAnswer(redirectCount)
        redirectCount += 1
        guard let delay = run.program.answerAfter else { return give(answer, to: request, of: object) }
        run.client.post(after: delay) { $0.give(answer, to: request, of: object) }
    }

    private func give(_ answer: Assignment.RedirectAnswer, to request: URLRequest, of object: Int) {
        guard wants(object) else { return }
        switch answer.answer {
        case "follow", "change":
            run.answer(answer.answer, to: .redirect, of: object)
            guard redirectCount <= run.program.redirectLimit else {
                return end(message: "more than \(run.program.redirectLimit) redirects")
            }
            begin(answer.answer == "change" ? answer.changing(request) : request, replacing: object)
        case "refuse":
            run.answer("refuse", to: .redirect, of: object)
            let refused = objects.first { $0.number == object }?.held as? any RedirectAnswering
            refused?.redirectRefused()
        case "cancel":
            run.record(.harness, .cancel, object: object)
            end(message: "stopped by the program")
        case "never": break
        default: cannot("\"\(answer.answer)\" to a redirect: a URLProtocol takes no answer to one")
        }
    }

    func cannot(_ reason: String) { run.record(.harness, .unimplemented, reason) }

    // MARK: Ending

    /// Stops whatever runs; ``lookRound()`` sees the end.
    func end(message: String? = nil) {
        guard listensUntil == nil else { return }
        if let message { outcome.message = message }
        for driven in objects where driven.held != nil { stop(driven.number) }
        listensUntil = MonotonicClock.nanoseconds &+ run.program.settling.wholeNanoseconds
    }

    /// The trace is closed already; the object is stopped all the same, so that it can let go of what it holds.
    func abandon() {
        end()
        run.client.end()
    }

    private func stop(_ number: Int) {
        guard let index = objects.firstIndex(where: { $0.number == number }), let object = objects[index].held else {
            return
        }
        objects[index].held = nil
        guard objects[index].isStarted, run.program.fault != .neverStops else { return }
        run.giveThread(to: number)
        let event = run.record(.proto, .pStop, object: number)
        object.stopLoading()
        run.recorder.recordReturn(of: event)
    }

    /// In every turn of the run loop: sees which objects are gone, and whether all is over.
    func lookRound() {
        for index in objects.indices where !objects[index].isGone && objects[index].watched.object == nil {
            objects[index].isGone = true
            run.record(.proto, .pDeinit, object: objects[index].number)
        }
        guard let listensUntil else { return }
        guard objects.allSatisfy(\.isGone) || MonotonicClock.nanoseconds >= listensUntil else { return }
        run.close(result: outcome.facts)
        run.client.end()
    }
}
