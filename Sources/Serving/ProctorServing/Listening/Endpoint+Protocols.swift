internal import ProctorReplies
package import ProctorScenario

extension Endpoint {
    /// What connections to the address may speak, in order of preference; never empty.
    ///
    /// The proxy that leads to all names speaks HTTP/1.1.
    package var protocols: [ApplicationProtocol] {
        switch self {
        case .origin(let stage, let origin): stage.protocols(ofOrigin: origin)
        case .shared(let port): port.protocols
        case .namesProxy: ApplicationProtocol.usual
        }
    }

    /// Whether clients send it requests for other origins.
    package var isProxy: Bool {
        guard case .origin(let stage, let origin) = self else { return false }
        return stage.scenario.origins[origin].role == .proxy
    }

    var speaksHTTP1: Bool { protocols.contains(.http11) }

    package var speaksHTTP2: Bool { protocols.contains(.h2) }
}
