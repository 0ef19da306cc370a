/// One thing that is done wrong on the way, by clients that are broken on purpose.
package enum TransportFault: Sendable, Hashable {
    /// A proxy is handed plain requests as if it were their server.
    case sendsOriginFormToProxy
    /// A tunnel to one origin is used for another one.
    case sharesTunnels
    /// What is for the proxy is told to the origin as well, inside the tunnel.
    case sendsProxyCredentialInTunnel
    /// A proxy that makes no tunnel is taken for the origin, and its reply for the origin's.
    case takesRefusalForReply
    /// The target of CONNECT lacks the port.
    case connectsWithoutPort
    /// Proxies are sent Proxy-Connection.
    case sendsProxyConnection
}
