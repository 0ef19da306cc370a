package import ProctorBase
package import ProctorScenario

/// What a connection's TLS has settled, as conditions ask for it.
package struct SecurityFacts {
    package var serverName: [UInt8]?
    package var applicationProtocol: [UInt8]?
    /// The name of the client's identity in the scenario, or the subject of its certificate; nil: no certificate.
    package var identity: [UInt8]?

    package init(serverName: [UInt8]? = nil, applicationProtocol: [UInt8]? = nil, identity: [UInt8]? = nil) {
        (self.serverName, self.applicationProtocol, self.identity) = (serverName, applicationProtocol, identity)
    }
}

extension MoreConditions.SecurityConditions {
    /// Without TLS nothing holds.
    package func verdict(on facts: SecurityFacts?, within budget: WorkBudget?) -> Verdict {
        guard let facts else { return .fails }
        return items(facts).all { $0.condition?.verdict(on: $0.value, within: budget) ?? .holds }
    }

    /// With the words of the fixture.
    package func items(_ facts: SecurityFacts?) -> [(word: String, condition: ValueCondition?, value: [UInt8]?)] {
        [
            ("sni", serverName, facts?.serverName), ("alpn", applicationProtocol, facts?.applicationProtocol),
            ("identity", identity, facts?.identity),
        ]
    }
}
