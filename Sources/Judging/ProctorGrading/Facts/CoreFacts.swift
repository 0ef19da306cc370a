import ProctorScenario

/// The facts that the grader measures itself.
package enum CoreFacts {
    /// Hands their rows over, for the fixtures that this process reads from then on; safe from any thread, and again.
    package static func register() {
        register(.run, "") { RunFacts.rows.map(\.row) }
        register(.request, "request") { RequestFacts.rows.map(\.row) }
        register(.connection, "connection") { ConnectionFacts.rows.map(\.row) }
        register(.guarding, "guard") { GuardFacts.rows.map(\.row) }
        register(.handshake, "handshake") { HandshakeFacts.rows.map(\.row) }
        register(.spending, "") { ClientSpending.rows.map(\.row) }
        register(.told, "") { ClientFacts.rows.map(\.row) }
    }

    private static func register(
        _ group: FactGroup, _ noun: String, _ rows: @escaping @Sendable () -> [FactRow]
    ) {
        group.register(FactGroup.Rows(owner: "\(noun) $", noun: noun) { (rows(), []) })
    }
}
