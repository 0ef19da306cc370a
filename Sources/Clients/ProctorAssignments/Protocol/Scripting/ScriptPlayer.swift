internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Plays a script call by call; its pauses do not block a run loop.
final class ScriptPlayer: Sendable {
    let load: ScriptedLoad?
    private let state: Locked<ScriptPosition>
    private let objectNumber = Locked(0)

    /// The seconds between two checks for the end of a pause.
    private static let interval = 0.005
    /// The most turns of a script that waits without a run loop: one minute.
    private static let mostTurns = 12_000

    /// `definition` is that of the object's class; its calls are played when the load has none.
    init(_ load: ScriptedLoad?, of definition: ProtocolClass? = nil) {
        self.load = load
        let calls = load?.calls ?? []
        state = Locked(ScriptPosition(calls.isEmpty ? definition?.usualCalls ?? [] : calls))
    }

    /// The object's number in the trace.
    var number: Int {
        get { objectNumber.withLock { $0 } }
        set { objectNumber.withLock { $0 = newValue } }
    }

    func start(_ object: URLProtocol) {
        guard load != nil else {
            let error = ScriptedCall.failure("the script of \(object.request.line) is gone: keep its ScriptedLoad")
            object.client?.urlProtocol(object, didFailWithError: error)
            return
        }
        state.withLock { $0.isStopped = false }
        guard !runCalls(object) else { return }
        let reference = Handover(value: WeakReference<URLProtocol>(object))
        if RunLoop.current.currentMode == nil {
            playElsewhere(reference)
        } else {
            let timer = Timer(timeInterval: Self.interval, repeats: true) { [self] timer in
                guard let object = reference.value.object, !runCalls(object) else { return timer.invalidate() }
            }
            RunLoop.current.add(timer, forMode: .default)
        }
    }

    /// Calls after the stop need the object, which is therefore kept until they are made.
    func stop(_ object: URLProtocol) {
        let kept = Handover(value: object)
        state.withLock { state in
            state.isStopped = true
            if state.goesOnAfterStop { state.kept = kept }
        }
    }

    func answered() { state.withLock { $0.isAnswered = true } }

    /// Plays until the next wait; true at the end.
    private func runCalls(_ object: URLProtocol) -> Bool {
        while true {
            switch state.withLock({ $0.next(at: MonotonicClock.nanoseconds) }) {
            case .call(let call):
                if call.isOnOtherThread {
                    performElsewhere(call, for: object)
                } else {
                    perform(call, for: object)
                }
            case .pause: return false
            case .end:
                state.withLock { $0.letGo() }
                return true
            }
        }
    }

    private func playElsewhere(_ reference: Handover<WeakReference<URLProtocol>>) {
        Thread.detachNewThread { [self] in
            let never = DispatchSemaphore(value: 0)
            for _ in 0..<Self.mostTurns {
                guard let object = reference.value.object, !runCalls(object) else { return }
                _ = never.wait(timeout: .now() + Self.interval)
            }
        }
    }

    private func performElsewhere(_ call: Assignment.ProtocolCall, for object: URLProtocol) {
        state.withLock { $0.waiting = .otherThread }
        let handed = Handover(value: object)
        Thread.detachNewThread { [self] in
            perform(call, for: handed.value)
            state.withLock { state in
                if case .otherThread = state.waiting { state.waiting = .nothing }
            }
        }
    }

    private func perform(_ call: Assignment.ProtocolCall, for object: URLProtocol) {
        switch call.act {
        case .wait(let duration):
            let end = MonotonicClock.nanoseconds &+ duration.wholeNanoseconds
            state.withLock { $0.waiting = .until(end) }
        case .awaitAnswer: state.withLock { $0.waiting = $0.isRedirecting ? .stop : .answer }
        case .awaitStop: state.withLock { $0.waiting = .stop }
        case .block(let duration):
            Thread.sleep(forTimeInterval: Double(duration.wholeNanoseconds) / 1e9)
            if !call.isOnOtherThread { recordBlocked(duration.wholeNanoseconds) }
        case .blockOnMain:
            let start = MonotonicClock.nanoseconds
            waitForMainThread()
            if !call.isOnOtherThread { recordBlocked(MonotonicClock.nanoseconds &- start) }
        default:
            do throws(ScriptedCall.Unplayable) {
                make(try ScriptedCall(call, of: object, player: self).makeCall(), for: object)
            } catch {
                load?.recorder?.record(
                    TraceEvent(lane: .harness, task: load?.task ?? 0, name: .unimplemented, argument: error.reason))
                state.withLock { $0.giveUp() }
                make(.fail(ScriptedCall.failure(error.reason)), for: object)
            }
        }
    }

    /// Makes a deadlock with a time limit: the main thread waits for the load, and the load for the main thread.
    private func waitForMainThread() {
        let limit = DispatchTime.now() + .nanoseconds(Int(Assignment.ProtocolCall.mainThreadWait.wholeNanoseconds))
        let isOver = DispatchSemaphore(value: 0)
        let turn = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { _ = isOver.wait(timeout: limit) }
        DispatchQueue.main.async { turn.signal() }
        _ = turn.wait(timeout: limit)
        isOver.signal()
    }

    /// Records `blocked`, since nothing observes a loader's own thread.
    private func recordBlocked(_ nanoseconds: UInt64) {
        load?.recorder?.record(
            TraceEvent(
                lane: .harness, task: load?.task ?? 0, object: number, name: .blocked,
                facts: [EventFact(.ms, .integer(Int(clamping: nanoseconds / 1_000_000)))]))
    }

    private func make(_ call: ProtocolClientCall, for object: URLProtocol) {
        guard let client = object.client else { return }
        let event = load?.recorder?.record(call.event(task: load?.task ?? 0, object: number))
        call.make(on: client, by: object)
        if let event { load?.recorder?.recordReturn(of: event) }
    }

    // MARK: For ScriptedCall

    func open(_ challenge: URLAuthenticationChallenge) {
        let handed = Handover(value: challenge)
        state.withLock { state in
            state.isAnswered = false
            state.challenge = handed
            state.challengeCount += 1
        }
    }

    var challenge: URLAuthenticationChallenge? { state.withLock { $0.challenge }?.value }

    var challengeCount: Int { state.withLock { $0.challengeCount } }

    /// The rest of the script, which another object plays when this redirect is followed.
    func handOver() -> ArraySlice<Assignment.ProtocolCall>? { state.withLock { $0.handOver() } }
}

/// The position in a script and what the script waits for.
struct ScriptPosition {
    /// The next state is set by a call of the script; it becomes `nothing` when the awaited event has occurred.
    enum Waiting {
        case nothing
        case until(UInt64)
        case answer
        case stop
        /// A call that runs on another thread.
        case otherThread
    }

    enum Next {
        case call(Assignment.ProtocolCall)
        case pause
        case end
    }

    private var calls: ArraySlice<Assignment.ProtocolCall>
    var waiting: Waiting = .nothing
    var isStopped = false
    var isAnswered = false
    /// Whether a redirect is not yet answered, whose target plays the rest of the script.
    private(set) var isRedirecting = false
    var challenge: Handover<URLAuthenticationChallenge>?
    var challengeCount = 0
    /// Keeps the object alive for calls after its stop.
    var kept: Handover<URLProtocol>?

    init(_ calls: [Assignment.ProtocolCall]) { self.calls = calls[...] }

    /// Whether the script waits for a stop, now or later, and then continues.
    var goesOnAfterStop: Bool {
        if case .stop = waiting { return !calls.isEmpty }
        guard let index = calls.firstIndex(where: { $0.act == .awaitStop }) else { return false }
        return calls.index(after: index) < calls.endIndex
    }

    /// Removes and returns the next call.
    mutating func next(at now: UInt64) -> Next {
        if case .otherThread = waiting { return .pause }
        if isStopped {
            skipToStop()
            return calls.popFirst().map { .call($0) } ?? .end
        }
        switch waiting {
        case .nothing: break
        case .until(let time): if now < time { return .pause }
        case .answer: if !isAnswered { return .pause }
        case .stop, .otherThread: return .pause
        }
        waiting = .nothing
        return calls.popFirst().map { .call($0) } ?? .end
    }

    /// After a stop, only the calls after `await-stop` are played.
    private mutating func skipToStop() {
        if isBehindStop { return }
        isBehindStop = true
        if case .stop = waiting {
            waiting = .nothing
            return
        }
        waiting = .nothing
        if let index = calls.firstIndex(where: { $0.act == .awaitStop }) {
            calls = calls[calls.index(after: index)...]
        } else {
            calls = []
        }
    }

    private var isBehindStop = false

    /// Removes the calls of a redirect's target, if the script waits for the answer to the redirect.
    mutating func handOver() -> ArraySlice<Assignment.ProtocolCall>? {
        guard let index = calls.firstIndex(where: { $0.act == .awaitAnswer || $0.act == .awaitStop }) else {
            return nil
        }
        let rest = calls[calls.index(after: index)...]
        calls = calls[...index]
        isRedirecting = true
        return rest
    }

    mutating func giveUp() {
        calls = []
        waiting = .nothing
    }

    mutating func letGo() {
        kept = nil
        challenge = nil
    }
}

/// Receives the answers to a script's challenges; no answer changes the script.
final class ScriptedSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let player: ScriptPlayer

    init(_ player: ScriptPlayer) { self.player = player }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { player.answered() }
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { player.answered() }
    func cancel(_ challenge: URLAuthenticationChallenge) { player.answered() }
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { player.answered() }
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { player.answered() }
}

struct ScriptedCall {
    private let call: Assignment.ProtocolCall
    private let object: URLProtocol
    private let player: ScriptPlayer

    struct Unplayable: Error {
        let reason: String
    }

    init(_ call: Assignment.ProtocolCall, of object: URLProtocol, player: ScriptPlayer) {
        (self.call, self.object, self.player) = (call, object, player)
    }

    /// nil for waits, which the player performs.
    func makeCall() throws(Unplayable) -> ProtocolClientCall {
        switch call.act {
        case .response(let status, let mime, let storage): return try response(status, mime: mime, storage: storage)
        case .data(let text): return .data(Data(text.utf8))
        case .finish: return .finish
        case .fail(let domain, let code): return .fail(NSError(domain: domain, code: code))
        case .redirect(let status, let target): return try redirect(status, to: target)
        case .challenge(let kind): return try challenge(kind)
        case .cancelChallenge:
            return .cancelChallenge(player.challenge ?? makeChallenge("NSURLAuthenticationMethodHTTPBasic"))
        case .cachedResponseIsValid: return try cached()
        case .unreadable(let reason): throw Unplayable(reason: reason)
        case .wait, .block, .blockOnMain, .awaitAnswer, .awaitStop:
            throw Unplayable(reason: "no protocol call \"\(call.name)\"")
        }
    }

    private func response(
        _ status: Int, mime: String?, storage: Assignment.ProtocolCall.Storage?
    ) throws(Unplayable) -> ProtocolClientCall {
        var fields = mime.map { ["Content-Type": $0] } ?? [:]
        // A dictionary has one value for several field lines of a name (RFC 9110 §5.3).
        for field in call.headers where field.count == 2 {
            fields[field[0]] = fields[field[0]].map { "\($0), \(field[1])" } ?? field[1]
        }
        let policy: URLCache.StoragePolicy =
            switch storage {
            case .allowed: .allowed
            case .memory: .allowedInMemoryOnly
            case .notAllowed, nil: .notAllowed
            }
        guard let url = object.request.url else {
            throw Unplayable(reason: "\"response \(call.argument ?? "")\" has no status of three digits")
        }
        guard let response = Self.response(url, status, fields: fields, version: call.version) else {
            throw Unplayable(reason: "no response can be made of \"response \(call.argument ?? "")\"")
        }
        return .response(response, policy)
    }

    private func redirect(_ status: Int, to location: String) throws(Unplayable) -> ProtocolClientCall {
        guard let url = object.request.url, let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let response = Self.response(url, status, fields: ["Location": location])
        else { throw Unplayable(reason: Assignment.ProtocolCall.unreadableRedirect(call.argument ?? "")) }
        var request = URLRequest(url: target)
        if let rest = player.handOver(), let load = player.load {
            request = load.request(request, goingOnWith: rest)
        }
        return .redirect(request, response)
    }

    private func challenge(_ kind: String) throws(Unplayable) -> ProtocolClientCall {
        guard let method = ChallengeKind.authenticationMethod(named: kind) else {
            throw Unplayable(reason: "no challenge \"\(kind)\"")
        }
        let challenge = makeChallenge(method)
        player.open(challenge)
        return .challenge(challenge)
    }

    private func makeChallenge(_ method: String) -> URLAuthenticationChallenge {
        let url = object.request.url
        let space = URLProtectionSpace(
            host: url?.host ?? "", port: url?.port ?? (url?.scheme == "https" ? 443 : 80), protocol: url?.scheme,
            realm: "proctor", authenticationMethod: method)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: player.challengeCount,
            failureResponse: nil, error: nil, sender: ScriptedSender(player))
    }

    /// The object's own cached response, or an empty one.
    private func cached() throws(Unplayable) -> ProtocolClientCall {
        if let cached = object.cachedResponse { return .cacheValidated(cached) }
        guard let url = object.request.url, let response = Self.response(url, 200, fields: [:]) else {
            throw Unplayable(reason: "no cached response can be made up for a request without a URL")
        }
        return .cacheValidated(CachedURLResponse(response: response, data: Data()))
    }

    private static func response(
        _ url: URL, _ status: Int, fields: [String: String], version: String? = nil
    ) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: version ?? "HTTP/1.1", headerFields: fields)
    }

    /// The error of a load whose script cannot be played.
    static func failure(_ reason: String) -> NSError {
        NSError(domain: "ProctorScript", code: 1, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
