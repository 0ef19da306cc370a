internal import ProctorBase
internal import ProctorScenario

/// What a connection's TLS has settled, as conditions ask for it.
struct SecurityFacts {
    var serverName: [UInt8]?
    var applicationProtocol: [UInt8]?
    /// The name of the client's identity in the scenario, or the subject of its certificate; nil: no certificate.
    var identity: [UInt8]?
}

extension MoreConditions.SecurityConditions {
    /// Without TLS nothing holds.
    func verdict(on facts: SecurityFacts?, within budget: WorkBudget?) -> Verdict {
        guard let facts else { return .fails }
        return items(facts).all { $0.condition?.verdict(on: $0.value, within: budget) ?? .holds }
    }

    /// With the words of the fixture.
    func items(_ facts: SecurityFacts?) -> [(word: String, condition: ValueCondition?, value: [UInt8]?)] {
        [
            ("sni", serverName, facts?.serverName), ("alpn", applicationProtocol, facts?.applicationProtocol),
            ("identity", identity, facts?.identity),
        ]
    }
}
