import ProctorBase

extension FactName {
    package enum DNSFact: String, GroupedFact {
        case name, type
        /// `udp` or `tcp`.
        case transport
        /// Milliseconds since the question before.
        case gap
        /// What was done about it, in order.
        case replies
        case violations

        package var row: FactRow {
            switch self {
            case .name: FactRow("the name of $")
            case .type: FactRow("the type of $")
            case .transport:
                FactRow(
                    "the transport of $", .word(FactWords("transport", of: "a question of DNS", ["udp", "tcp"])))
            case .gap: FactRow("the milliseconds from the question before to $", .number)
            case .replies: FactRow("what was done about $", .list)
            case .violations:
                FactRow(
                    "the violations of $",
                    .kinds(FactWords("violation", of: "a question of DNS", TableCells.kinds(of: "dns-violations"))))
            }
        }
    }
}
