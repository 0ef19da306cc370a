import ProctorJournal

extension FactName {
    package enum ConnectionFact: String, GroupedFact {
        case requests, closedBy, end
        case origin
        /// `h2` or `http/1.1`; absent when the client spoke neither.
        case speech = "protocol"
        case streams

        package var row: FactRow {
            switch self {
            case .requests: Self.row("the number of requests on $", .number, over: .unsharedConnections)
            case .closedBy: Self.row("the side that ended $", over: .connectionEnd)
            case .end:
                Self.row(
                    "how $ ends",
                    .word(FactWords("end", of: "a connection", JournalEvent.Ending.allCases.map(\.rawValue))),
                    over: .connectionEnd)
            case .origin: Self.row("the origin to which $ came", .word(.origins))
            case .speech:
                Self.row(
                    "the protocol of $",
                    .word(FactWords("protocol", of: "a connection", ApplicationProtocol.allCases.map(\.rawValue))),
                    over: .speech)
            case .streams: Self.row("the number of streams on $", .number, over: .speech)
            }
        }

        private static func row(
            _ template: String, _ values: FactValues = .text, over scope: FactScope = .allVersions
        ) -> FactRow { FactRow(template, values, over: scope, shownBy: .requests) }
    }

    package enum GuardFact: String, GroupedFact {
        case attempts
        /// The number of refused credentials, without those that were only stale.
        case failures
        case challenges
        /// The scheme of the last credential, in lower case.
        case scheme
        case user
        /// The nonce counts of all Digest credentials, in order, in decimal.
        case nc
        /// The kinds of all faults of credentials, in order.
        case faults

        package var row: FactRow {
            switch self {
            case .attempts: Self.row("the number of credentials that $ judged", .number)
            case .failures: Self.row("the number of credentials that $ refused", .number)
            case .challenges: Self.row("the number of challenges by $", .number)
            case .scheme: Self.row("the scheme of the last credential for $")
            case .user: Self.row("the user of the last credential for $")
            case .nc: Self.row("the nonce counts for $", .list)
            case .faults: Self.row("the faults that $ found", .kinds(.faults))
            }
        }

        private static func row(_ template: String, _ values: FactValues = .text) -> FactRow {
            FactRow(
                template, values, fields: ["Authorization", "Proxy-Authorization"], shownBy: .refusedCredentials)
        }
    }
}
