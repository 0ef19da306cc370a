internal import ProctorBase
internal import ProctorHTTP
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
final class CookieDesk: Sendable {
    private let state = Locked(State())
    private let scenario: Scenario
    /// Of each origin's URLs, for requests that do not say theirs.
    private let hosts: [String]

    private struct State {
        /// The journal's; what belongs to an earlier one is left out.
        var epoch = 0
        var judge = CookieJudge()
    }

    /// Nil where nobody looks at cookies: the scenario sets none and asks for none, or is served for good.
    init?(_ scenario: Scenario, _ addresses: AddressBook, startsOver: Bool) {
        guard !startsOver, scenario.watchesCookies, let authorities = addresses.boundToOrigins?.authorities else {
            return nil
        }
        self.scenario = scenario
        hosts = authorities.map { CookiePlace.host(ofAuthority: $0[...]) ?? "" }
    }

    /// What the Cookie fields of a request look like; nil where there are none and none was expected.
    func judge(_ head: RequestHead, origin: Int, epoch: Int) -> CookieVerdict? {
        guard let place = place(of: head, origin: origin) else { return nil }
        let fields = head.fields.values(named: "Cookie").map { Array($0) }
        return state.withLock { state in
            guard epoch == state.epoch else { return nil }
            let verdict = state.judge.judge(fields, to: place, at: Self.now)
            return fields.isEmpty && verdict.expected == nil ? nil : verdict
        }
    }

    /// Takes the Set-Cookie fields of the reply to a request.
    func set(_ fields: [[UInt8]], to head: RequestHead, origin: Int, epoch: Int) -> [SetCookieNote] {
        guard let place = place(of: head, origin: origin) else { return [] }
        return state.withLock { state in
            guard epoch == state.epoch else { return [] }
            return state.judge.set(fields, by: place, at: Self.now)
        }
    }

    /// Nothing was set yet.
    func reset(epoch: Int) {
        state.withLock { $0 = State(epoch: epoch) }
    }

    /// Nil for CONNECT, which is no request for a resource.
    private func place(of head: RequestHead, origin: Int) -> CookiePlace? {
        CookiePlace(
            of: head, isSecure: scenario.origins[origin].scheme == .https, host: hosts[origin])
    }

    private static var now: Int { Int(time(nil)) }
}
