internal import ProctorBase
package import ProctorHTTP
internal import ProctorScenario

/// What the server knows of a client's cookies during one run, for all origins; safe from any thread.
///
/// A client can't use a reply that was not sent when it made a request. So each request is judged with those replies
/// left open whose head was not complete when the request began, as ``RequestArrival`` defines it.
///
/// Once the clock of the run shows another time than the real one, a client may go by either: fields that are right by
/// one of them are right.
package final class ClientCookies: Sendable {
    private let state = Locked(State())
    private let scenario: Scenario
    private let clock: RunClock
    /// Host of each origin's URLs, for requests without a host.
    private let hosts: [String]

    private struct State {
        /// The journal's epoch; calls of an earlier epoch are ignored.
        var epoch = 0
        /// The judge by the clock of the run.
        var judge = CookieJudge()
        /// The judge by the real time; nil while the clock of the run was never moved.
        var realJudge: CookieJudge?
        /// The latest replies that set cookies, which pending requests may not include.
        var replies: [Reply] = []
    }

    private struct Reply {
        let number: Int
        let connection: Int
        /// When its head was sent completely, in MonotonicClock nanoseconds; nil: not yet.
        var departure: UInt64?

        func isUndecided(since moment: UInt64) -> Bool { departure.map { $0 >= moment } ?? true }
    }

    /// Earlier replies count as known to the client.
    static let replyLimit = 64

    /// Nil where cookies are not judged: the scenario neither sets nor expects any, or is served on the shared port.
    init?(_ compiled: CompiledScenario, _ addresses: StageAddresses, _ clock: RunClock, startsOver: Bool) {
        guard !startsOver, compiled.watchesCookies, let authorities = addresses.boundToOrigins?.authorities else {
            return nil
        }
        scenario = compiled.scenario
        self.clock = clock
        hosts = authorities.map { CookieURL.host(ofAuthority: $0[...]) ?? "" }
    }

    /// The verdict on the Cookie fields of a request that began at `arrival`; nil where there are none and no edition
    /// expects any.
    package func judge(_ head: RequestHead, origin: Int, epoch: Int, since arrival: UInt64) -> CookieVerdict? {
        guard let place = place(of: head, origin: origin) else { return nil }
        let fields = head.fields.values(named: "Cookie").map { Array($0) }
        return state.withLock { state in
            guard epoch == state.epoch else { return nil }
            let undecided = state.replies.filter { $0.isUndecided(since: arrival) }.map(\.number)
            separateClocks(&state)
            var verdict = state.judge.judge(fields, to: place, at: clock.unixSeconds, undecided: Set(undecided))
            if let other = state.realJudge?.judge(fields, to: place, at: Self.realNow, undecided: Set(undecided)),
                verdict.conformsTo.isEmpty, !other.conformsTo.isEmpty
            {
                verdict = other
            }
            return fields.isEmpty && verdict.expected == nil && verdict.otherwise == nil ? nil : verdict
        }
    }

    /// Takes the Set-Cookie fields of the reply to a request that began at `arrival`; returns the number for
    /// ``noteDeparture(of:epoch:)``.
    package func set(
        _ fields: [[UInt8]], to head: RequestHead, origin: Int, epoch: Int, connection: Int, since arrival: UInt64
    ) -> (notes: [SetCookieNote], number: Int)? {
        guard let place = place(of: head, origin: origin) else { return nil }
        return state.withLock { state in
            guard epoch == state.epoch else { return nil }
            // The client reads the replies of one connection in their order.
            let beside = state.replies.filter { $0.connection != connection && $0.isUndecided(since: arrival) }
            separateClocks(&state)
            let others = Set(beside.map(\.number))
            let notes = state.judge.set(fields, by: place, at: clock.unixSeconds, beside: others)
            _ = state.realJudge?.set(fields, by: place, at: Self.realNow, beside: others)
            let number = state.judge.responseCount
            if state.replies.count >= Self.replyLimit { state.replies.removeFirst() }
            state.replies.append(Reply(number: number, connection: connection))
            return (notes, number)
        }
    }

    package func noteDeparture(of number: Int, epoch: Int) {
        let moment = MonotonicClock.nanoseconds
        state.withLock { state in
            guard epoch == state.epoch, let index = state.replies.lastIndex(where: { $0.number == number }) else {
                return
            }
            state.replies[index].departure = moment
        }
    }

    func reset(epoch: Int) {
        state.withLock { $0 = State(epoch: epoch) }
    }

    /// Nil for CONNECT, which requests no resource.
    private func place(of head: RequestHead, origin: Int) -> CookieURL? {
        CookieURL(
            of: head, isSecure: scenario.origins[origin].scheme == .https, host: hosts[origin])
    }

    private static var realNow: Int { WallClock.unixNanoseconds / 1_000_000_000 }

    /// Both judgements have been the same until the clock was moved.
    private func separateClocks(_ state: inout State) {
        if state.realJudge == nil, clock.isMoved { state.realJudge = state.judge }
    }
}

extension CookieURL {
    /// The URL of a request (RFC 9110 §7.1), from its target or its Host, with the scheme of its origin.
    ///
    /// `host` is the default. Nil for CONNECT and for a malformed target.
    package init?(of head: RequestHead, isSecure: Bool, host: String) {
        switch head.form {
        case .authority: return nil
        case .absolute:
            guard let target = AbsoluteTarget(head.bytes.span, in: head.targetRange),
                let named = Self.host(ofAuthority: head.bytes[target.authority])
            else { return nil }
            self.init(
                isSecure: Scheme(of: target, in: head.bytes.span) == .https, host: named,
                path: Self.path(target.originForm(head.bytes, isOptions: false)))
        default:
            let named = head.fields.first(named: "Host").flatMap { Self.host(ofAuthority: Array($0)[...]) }
            self.init(isSecure: isSecure, host: named ?? host, path: Self.path(head.target))
        }
    }

    /// Without userinfo and port; nil for an empty host or one that is too long.
    package static func host(ofAuthority authority: ArraySlice<UInt8>) -> String? {
        var host = authority
        if let sign = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(sign + 1)...] }
        if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) {
            host = host[...end]
        } else {
            host = host.prefix { $0 != UInt8(ascii: ":") }
        }
        return host.isEmpty || host.count > 255 ? nil : String(decoding: host, as: UTF8.self)
    }

    private static func path(_ target: [UInt8]) -> [UInt8] { Array(target.prefix { $0 != UInt8(ascii: "?") }) }
}
