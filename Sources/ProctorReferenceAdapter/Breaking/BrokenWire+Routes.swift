internal import ProctorHTTP
internal import ProctorReference

/// Proxies and tunnels (RFC 9110 §9.3.6, RFC 9112 §3.2).
extension BrokenWire {
    static let routes: [BrokenWire] = [
        actions(
            "origin-credential-in-connect", "send the proxy the credential of the origin when a tunnel is asked for",
            says: nil, keeping: HTTPField?.none
        ) { actions, _, _, credential in
            actions.map { action in
                if case .send(let request, _) = action { credential = request.fields.first(named: "Authorization") }
                guard case .openTunnel(var asked) = action, let credential else { return action }
                asked.fields.append(credential)
                return .openTunnel(asked)
            }
        },
        routed(
            "proxy-credential-in-the-tunnel", "send the origin the credential of the proxy inside the tunnel",
            .sendsProxyCredentialInTunnel),
        routed("origin-form-to-the-proxy", "send a proxy the path alone", .sendsOriginFormToProxy),
        routed("tunnel-of-another-origin", "use the tunnel to one origin for another one", .sharesTunnels),
        routed(
            "refused-tunnel-is-the-reply", "take the proxy's refusal of a tunnel for the origin's reply",
            .takesRefusalForReply),
        routed("connect-without-port", "leave the port out of the target of CONNECT", .connectsWithoutPort),
        routed("proxy-connection", "send proxies the field Proxy-Connection", .sendsProxyConnection),
    ]

    private static func routed(_ label: String, _ name: String, _ fault: TransportFault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.transportFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }
}
