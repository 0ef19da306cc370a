package import ProctorHTTP
package import ProctorSOCKS

/// One way to a server.
package enum ProxyRoute: Sendable, Equatable {
    case direct
    case proxy(Origin)
    case socks(SOCKSProxy)

    var socks: SOCKSProxy? { if case .socks(let proxy) = self { proxy } else { nil } }
}

/// Finds the ways to a URL; throws where the load is to fail at once.
package typealias RouteFinding = @Sendable (_ url: ClientURL) throws(LoadError) -> [ProxyRoute]
