internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What one life of a scenario knows of its client's cookies.
///
/// Safe from any thread. All origins share it, as a client has one store for all hosts.
///
/// A client can't know of a reply that had not gone out when it made up a request, and one that went out meanwhile it
/// may know or not. So each request is judged with the replies left open whose head had not gone out whole when the
/// request began, as ``RequestArrival`` has it.
final class CookieDesk: Sendable {
    private let state = Locked(State())
    private let scenario: Scenario
    /// Of each origin's URLs, for requests that do not say theirs.
    private let hosts: [String]

    private struct State {
        /// The journal's; what belongs to an earlier one is left out.
        var epoch = 0
        var judge = CookieJudge()
        /// The replies that set cookies last, of which requests under way may not know.
        var replies: [Reply] = []
        var connections: [WeakConnection] = []
        var listeners: [WeakListener] = []
    }

    /// A reply that sets cookies.
    private struct Reply {
        /// The judge's.
        let number: Int
        let connection: Int
        /// When its head had gone out whole, in MonotonicClock nanoseconds; nil: it has not, and perhaps never will.
        var departure: UInt64?

        func isUndecided(since moment: UInt64) -> Bool { departure.map { $0 >= moment } ?? true }
    }

    /// Looked at on its loop alone, so that none has its end elsewhere.
    private struct WeakConnection {
        let loop: EventLoop
        weak var connection: Connection?
    }

    private struct WeakListener {
        let loop: EventLoop
        weak var listener: Listener?
    }

    /// A client is taken to know of earlier replies.
    static let replyLimit = 64
    /// Connections that are looked at before a reply goes out.
    static let connectionLimit = 64

    /// Nil where nobody looks at cookies: the scenario sets none and asks for none, or is served for good.
    init?(_ compiled: CompiledScenario, _ addresses: AddressBook, startsOver: Bool) {
        guard !startsOver, compiled.watchesCookies, let authorities = addresses.boundToOrigins?.authorities else {
            return nil
        }
        scenario = compiled.scenario
        hosts = authorities.map { CookiePlace.host(ofAuthority: $0[...]) ?? "" }
    }

    /// What the Cookie fields of a request look like that began at `arrival`; nil where there are none and no edition
    /// expects any.
    func judge(_ head: RequestHead, origin: Int, epoch: Int, since arrival: UInt64) -> CookieVerdict? {
        guard let place = place(of: head, origin: origin) else { return nil }
        let fields = head.fields.values(named: "Cookie").map { Array($0) }
        return state.withLock { state in
            guard epoch == state.epoch else { return nil }
            let undecided = state.replies.filter { $0.isUndecided(since: arrival) }.map(\.number)
            let verdict = state.judge.judge(fields, to: place, at: Self.now, undecided: Set(undecided))
            return fields.isEmpty && verdict.expected == nil && verdict.otherwise == nil ? nil : verdict
        }
    }

    /// Takes the Set-Cookie fields of the reply to a request that began at `arrival`; gives the number by which
    /// ``noteDeparture(of:epoch:)`` is told.
    func set(
        _ fields: [[UInt8]], to head: RequestHead, origin: Int, epoch: Int, connection: Int, since arrival: UInt64
    ) -> (notes: [SetCookieNote], number: Int)? {
        guard let place = place(of: head, origin: origin) else { return nil }
        return state.withLock { state in
            guard epoch == state.epoch else { return nil }
            // Those of one connection are read in their order.
            let beside = state.replies.filter { $0.connection != connection && $0.isUndecided(since: arrival) }
            let notes = state.judge.set(fields, by: place, at: Self.now, beside: Set(beside.map(\.number)))
            let number = state.judge.responseCount
            if state.replies.count >= Self.replyLimit { state.replies.removeFirst() }
            state.replies.append(Reply(number: number, connection: connection))
            return (notes, number)
        }
    }

    /// The head of a reply has gone out whole.
    func noteDeparture(of number: Int, epoch: Int) {
        let moment = MonotonicClock.nanoseconds
        state.withLock { state in
            guard epoch == state.epoch, let index = state.replies.lastIndex(where: { $0.number == number }) else {
                return
            }
            state.replies[index].departure = moment
        }
    }

    /// Nothing was set yet.
    func reset(epoch: Int) {
        state.withLock { $0 = State(epoch: epoch, connections: $0.connections, listeners: $0.listeners) }
    }

    // MARK: Connections

    /// Has ``connections(on:)`` tell of it as long as it lives; on its loop.
    func watch(_ connection: Connection) {
        let loop = connection.socket.loop
        state.withLock { state in
            state.connections.removeAll {
                $0.loop === loop && ($0.connection == nil || $0.connection === connection)
            }
            if state.connections.count >= Self.connectionLimit { state.connections.removeFirst() }
            state.connections.append(WeakConnection(loop: loop, connection: connection))
        }
    }

    /// Those that came last; on that loop.
    func connections(on loop: EventLoop) -> [Connection] {
        state.withLock { $0.connections.compactMap { $0.loop === loop ? $0.connection : nil } }
    }

    /// Has ``listeners(on:)`` tell of the port as long as it is open; on its loop.
    func watch(_ listener: Listener) {
        state.withLock { $0.listeners.append(WeakListener(loop: listener.loop, listener: listener)) }
    }

    /// The ports of the run; on that loop.
    func listeners(on loop: EventLoop) -> [Listener] {
        state.withLock { $0.listeners.compactMap { $0.loop === loop ? $0.listener : nil } }
    }

    /// Nil for CONNECT, which is no request for a resource.
    private func place(of head: RequestHead, origin: Int) -> CookiePlace? {
        CookiePlace(
            of: head, isSecure: scenario.origins[origin].scheme == .https, host: hosts[origin])
    }

    private static var now: Int { Int(time(nil)) }
}
