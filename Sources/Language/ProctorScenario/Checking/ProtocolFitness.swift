package import ProctorBase

/// A reason why a scenario or a case written for HTTP/1.1 can't be run over HTTP/2 or HTTP/3.
package struct HTTP2Obstacle: Sendable, Equatable, CustomStringConvertible {
    /// The place of what exists only in HTTP/1.1.
    package let location: SourceLocation
    /// The reason, without a full stop: `a raw reply has the bytes of HTTP/1.1`.
    package let sentence: String

    package init(_ location: SourceLocation, _ sentence: String) {
        (self.location, self.sentence) = (location, sentence)
    }

    /// The place and the reason as compilers print them: `file:line:column: sentence`.
    package var description: String { "\(location): \(sentence)" }
}

/// Finds what scenarios lose over HTTP/2 and HTTP/3, in the order of the file; a module above the core has it.
package protocol ProtocolFitness: Sendable {
    func obstacles(of scenario: Scenario, over wanted: RunProtocol) -> [HTTP2Obstacle]

    /// Over HTTP/2: those of the exchange, of its origin and of its guards.
    func exchangeObstacles(_ exchange: Exchange, in scenario: Scenario) -> [HTTP2Obstacle]

    /// The obstacles of a case whose scenario has none.
    func caseObstacles(_ item: Case, in scenario: Scenario, over wanted: RunProtocol) -> [HTTP2Obstacle]
}

extension Scenario {
    package static let fitness = PartSlot<any ProtocolFitness>("the part for frames of HTTP/2 and HTTP/3")

    /// Why the scenario can't be run over HTTP/2 or HTTP/3, in the order of the file; empty when it can.
    ///
    /// For an origin with `protocols` of its own, and for its exchanges, only the lack of the protocol is an obstacle.
    /// Obstacles of a single case are in ``obstacles(of:over:)``.
    package func obstacles(over wanted: RunProtocol) -> [HTTP2Obstacle] {
        if let missing = (wanted.spoken == .h2 ? ApplicationProtocol.http2.missing : nil) ?? Self.fitness.missing {
            return [HTTP2Obstacle(origins[0].location, missing)]
        }
        return Self.fitness.part?.obstacles(of: self, over: wanted) ?? []
    }

    /// Why an exchange can't be served over HTTP/2.
    package func http2Obstacles(of exchange: Exchange) -> [HTTP2Obstacle] {
        Self.fitness.part?.exchangeObstacles(exchange, in: self) ?? []
    }

    /// Why a case can't be run over HTTP/2 or HTTP/3 although its scenario can; empty when the case can.
    ///
    /// When the fixture sets the protocols of every origin, only a fact that expects HTTP/1.1 is an obstacle, since the
    /// client is told to speak the protocol.
    package func obstacles(of item: Case, over wanted: RunProtocol) -> [HTTP2Obstacle] {
        Self.fitness.part?.caseObstacles(item, in: self, over: wanted) ?? []
    }
}
