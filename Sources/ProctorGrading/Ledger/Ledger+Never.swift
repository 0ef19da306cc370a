public import ProctorBase
import ProctorScenario
public import ProctorTrace

extension Ledger {
    /// An event that the client can never tell, whatever happens.
    ///
    /// Where a case expects it, it counts as told, and the case is judged by all the rest. An event that comes all the same
    /// shows that the entry is no longer true.
    public struct NeverEvent: Sendable, Equatable {
        /// With its argument, where only events with that argument never come: `challenge(serverTrust)`.
        public let symbol: TraceEventSymbol
        /// Why, in a sentence or a link.
        public let because: String
        /// Where the ledger says so.
        public let location: SourceLocation

        /// An entry as it is.
        public init(symbol: TraceEventSymbol, because: String, location: SourceLocation) {
            self.symbol = symbol
            self.because = because
            self.location = location
        }

        /// What no URLProtocol asks its client: it settles TLS itself (R20).
        static func ofProtocols(_ item: Case) -> [Self] {
            ["serverTrust", "clientCert"].map { kind in
                Self(
                    symbol: TraceEventSymbol(EventName.challenge.rawValue, kind),
                    because: "a URLProtocol settles it itself (R20)", location: item.location)
            }
        }

        /// What nothing on a platform ever tells.
        static func ofPlatform(_ platform: Platform, _ item: Case) -> [Self] {
            platform.never.map {
                Self(symbol: $0, because: "platform \(platform.name) never tells it", location: item.location)
            }
        }

        /// The rule that a client breaks by never telling it; nil where none asks for it.
        public var rule: RuleNumber? {
            symbol.name == EventName.challenge.rawValue && isOfTLS ? RuleNumber(18) : nil
        }

        private var isOfTLS: Bool { symbol.argument == "serverTrust" || symbol.argument == "clientCert" }

        /// Whether everything that the symbol stands for is this event.
        func covers(_ asked: NotationSymbol) -> Bool {
            guard asked.name == symbol.name else { return false }
            guard let argument = symbol.argument else { return true }
            return asked.arguments == [.exact(argument)]
        }

        /// Whether it is this event.
        func covers(_ event: TraceEventSymbol) -> Bool {
            event.name == symbol.name && (symbol.argument == nil || event.argument == symbol.argument)
        }
    }
}

extension [Ledger.NeverEvent] {
    /// Whether everything that the symbol stands for is one of these events.
    func cover(_ asked: NotationSymbol) -> Bool {
        if contains(where: { $0.covers(asked) }) { return true }
        // `challenge(serverTrust|clientCert)`.
        return asked.arguments.count > 1
            && asked.arguments.allSatisfy { pattern in
                let one = NotationSymbol(name: asked.name, arguments: [pattern])
                return contains { $0.covers(one) }
            }
    }
}
