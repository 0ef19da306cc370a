internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
package import ProctorReplies
internal import ProctorScenario

extension HostRouter {
    package func route(_ head: RequestHead, at origin: Int, of stage: Stage, checksHost: Bool) -> Route {
        switch roles[origin] {
        case .plain: break
        case .named:
            guard !checksHost || isFor(origin, head) else {
                return .named(.failed(.otherHost(head, than: hosts.entries[origin]), stage, at: origin))
            }
        case .proxy(let hasExchanges):
            if head.form == .absolute || head.form == .authority {
                return .named(.proxied(stage, proxy: origin, hasExchanges: hasExchanges))
            }
        }
        return .stage(stage, origin: origin, target: head.target)
    }

    /// The route at the proxy that leads to every name; `port` is its own.
    func routeAtNamesProxy(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        if head.form != .absolute, head.form != .authority { return routeByHost(head, of: stage, port: port) }
        switch destination(of: head) {
        case .request(let origin, let target): return .named(.routed(stage, origin: origin, target: target, .absolute))
        case .tunnel(let origin): return .named(.tunnel(stage, origin: origin))
        case .nowhere(let failure): return .named(.failed(failure, stage, at: nil))
        }
    }

    /// The proxy speaks plain HTTP, so the scheme is `http`.
    private func routeByHost(_ head: RequestHead, of stage: Stage, port: Int?) -> Route {
        let host = head.fields.first(named: "Host") ?? []
        let bytes = host.span
        guard let place = HostAndPort(bytes, in: 0..<bytes.count) else {
            return .named(.failed(.host(head), stage, at: nil))
        }
        guard let origin = hosts.origin(byHost: bytes, place, for: .http, cameTo: port) else {
            if place.isOwn(in: bytes), place.port != nil, place.port == port, let first = hosts.entries.first {
                return .named(
                    .failed(
                        .ownAddress(head, EscapedText.escape(host, limit: 300), leadingTo: first.url), stage, at: nil))
            }
            return .named(.failed(.host(head, hosts.otherPort(bytes, place, for: .http)), stage, at: nil))
        }
        return .named(.routed(stage, origin: origin, target: head.target, .host))
    }
}

package enum NamedRoute {
    /// An origin that was found by its name, with the request-target as it sees it.
    case routed(Stage, origin: Int, target: [UInt8], JournalEvent.Routing)
    /// A proxy of the scenario; `hasExchanges`: it has exchanges of its own.
    case proxied(Stage, proxy: Int, hasExchanges: Bool)
    case tunnel(Stage, origin: Int)
    /// A refusal, noted at an origin's port, or at the port of all names (nil).
    case failed(RoutingFailure, Stage, at: Int?)
}
