internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// HTTP/2 over connections of TCP (RFC 9113), registered.
package enum HTTP2Serving {
    /// Hands it over, for every connection that this process accepts from then on.
    package static func register() {
        ApplicationProtocol.http2.register(())
        SucceedingConnections.slot.register(SucceedingConnections { HTTP2Connection($0) })
    }
}

extension Endpoint {
    /// What the fixture says of its end of HTTP/2.
    var http2Behaviour: HTTP2Behaviour {
        guard case .origin(let stage, let origin) = self else { return HTTP2Behaviour() }
        return stage.scenario.origins[origin].http2(
            inRunOf: stage.wantedProtocol, opensWebSockets: stage.compiled.opensWebSockets)
    }
}
