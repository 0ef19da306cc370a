public import ProctorBase
public import ProctorEvents
public import ProctorNotation
import ProctorRules
public import ProctorScenario

/// What one client is known to do otherwise, case by case; an expectation is never weakened for it.
public struct Ledger: Sendable {
    /// The client's name, which is also the name of the file: `curl`.
    public let client: String
    /// The client's version that was looked at, or its beginning: `7.88`; nil when it speaks of any.
    public let version: String?
    /// The adapter that drove the client when the ledger was written; nil when it does not say.
    public let adapter: String?
    /// The version of the adapter that the ledger speaks of; nil: any.
    public let adapterVersion: String?
    /// The platform whose constants and switches the client has: `corelibs-6.3`; nil: none in particular.
    public let platform: String?
    /// Rules that the client breaks in every case where they can break, in the order of the file.
    public let rules: [KnownRule]
    /// Events that the client can never tell, in the order of the file.
    public let never: [NeverEvent]
    /// The deviations in the order of the file.
    public let deviations: [Deviation]

    /// A ledger as its file says it.
    public init(
        client: String, version: String? = nil, adapter: String? = nil, adapterVersion: String? = nil,
        platform: String? = nil, rules: [KnownRule] = [], never: [NeverEvent] = [], deviations: [Deviation]
    ) {
        self.adapter = adapter
        self.adapterVersion = adapterVersion
        self.client = client
        self.version = version
        self.platform = platform
        self.rules = rules
        self.never = never
        self.deviations = deviations
    }

    /// Whether it was written for that version of the client: `7.88` speaks of 7.88 and 7.88.1, and not of 7.880.
    public func speaks(ofVersion other: String) -> Bool {
        guard let version else { return true }
        return other == version || other.hasPrefix(version + ".")
    }

    /// What is otherwise with a trace than when the ledger was written, a sentence each; what the trace does not say is not otherwise.
    public func mismatches(with header: TraceHeader) -> [String] {
        var sentences: [String] = []
        if let other = header.clientVersion, !speaks(ofVersion: other) {
            sentences.append("written for \(client) \(version ?? ""), and the trace is of \(other)")
        }
        guard let adapter, let other = header.adapter else { return sentences }
        let mine = [adapter, adapterVersion].compactMap(\.self).joined(separator: " ")
        let theirs = [other, header.adapterVersion].compactMap(\.self).joined(separator: " ")
        let isSame = adapter == other && (adapterVersion == nil || adapterVersion == header.adapterVersion)
        if !isSame { sentences.append("made with the adapter \(mine), and the trace is of \(theirs)") }
        return sentences
    }

    /// A rule that a client breaks wherever it can.
    public struct KnownRule: Sendable, Equatable {
        /// Which.
        public let rule: RuleNumber
        /// Why, in a sentence or a link.
        public let because: String
        /// Where the ledger says so.
        public let location: SourceLocation

        /// An entry as it is.
        public init(rule: RuleNumber, because: String, location: SourceLocation) {
            self.rule = rule
            self.because = because
            self.location = location
        }
    }

    /// A case, or all cases of that name in several scenarios, that the client is known not to pass.
    public struct Deviation: Sendable, Equatable {
        /// The pattern as the file has it: `redirect/302*#follow`.
        public let pattern: String
        /// The id, or its beginning when ``isPrefix``.
        public let scenario: String
        /// Whether the scenario ends in `*`.
        public let isPrefix: Bool
        /// The case's name.
        public let name: String
        /// The section or rule that it breaks, for a person: `RFC 9110 §15.4.4`.
        public let rule: String?
        /// Why, in a sentence or a link.
        public let because: String
        /// The requests it makes instead; any others are not the known ones.
        public let wire: Notation?
        /// What of it is known, apart from the wire.
        public let parts: Parts
        /// Whether it happens in some sittings only, so that one without it is no news.
        public let isSporadic: Bool
        /// Where the ledger says so.
        public let location: SourceLocation

        /// What a client is known to do in a case; where all is empty, any failure is known.
        public struct Parts: Sendable, Equatable {
            /// Universal rules that it breaks.
            public var rules: [RuleNumber]
            /// Whether it crashes or hangs.
            public var stop: Stop?
            /// Facts that do not hold.
            public var facts: [FactName]
            /// Fields of callbacks that say another thing than what the server sent: `realm`, `url`.
            public var fields: [String]
            /// What its lanes bring instead of what the case asks for, by the case's names of the lanes.
            public var lanes: [String: Notation]

            /// Nothing in particular, where nothing else is said.
            public init(
                rules: [RuleNumber] = [], stop: Stop? = nil, facts: [FactName] = [], fields: [String] = [],
                lanes: [String: Notation] = [:]
            ) {
                self.fields = fields
                self.rules = rules
                self.stop = stop
                self.facts = facts
                self.lanes = lanes
            }

            /// Whether nothing in particular is said.
            public var isEmpty: Bool {
                rules.isEmpty && stop == nil && facts.isEmpty && fields.isEmpty && lanes.isEmpty
            }
        }

        /// The ways not to come to an end, as the key `outcome` names them.
        public enum Stop: String, Sendable, CaseIterable {
            case crash, hang
        }

        /// Takes the parts of the pattern apart: scenario, optional `*`, `#`, case name.
        public init(
            pattern: String, rule: String?, because: String, wire: Notation?, parts: Parts = Parts(),
            isSporadic: Bool = false, location: SourceLocation
        ) throws(LedgerPatternError) {
            (scenario, isPrefix, name) = try Self.split(pattern)
            self.pattern = pattern
            self.rule = rule
            self.because = because
            self.wire = wire
            self.parts = parts
            self.isSporadic = isSporadic
            self.location = location
        }

        /// Whether it speaks of that case.
        public func covers(_ id: CaseID) -> Bool {
            guard id.name == name else { return false }
            return isPrefix ? id.scenario.utf8.starts(with: scenario.utf8) : id.scenario == scenario
        }

        private static func split(
            _ pattern: String
        ) throws(LedgerPatternError) -> (scenario: String, isPrefix: Bool, name: String) {
            let parts = pattern.split(separator: "#", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw LedgerPatternError(
                    sentence: "\"\(pattern)\" is not a scenario, '#' and a case: redirect/302#follow")
            }
            var scenario = parts[0]
            let isPrefix = scenario.last == "*"
            if isPrefix { scenario.removeLast() }
            guard !scenario.contains("*"), !parts[1].contains("*") else {
                throw LedgerPatternError(sentence: "'*' stands only at the end of the scenario: redirect/*#follow")
            }
            return (String(scenario), isPrefix, String(parts[1]))
        }
    }

    /// The deviation that speaks of a case most exactly: its own entry, else the longest beginning.
    public func deviation(for id: CaseID) -> Deviation? {
        var best: Deviation?
        for deviation in deviations where deviation.covers(id) {
            guard let known = best else {
                best = deviation
                continue
            }
            let isNearer =
                known.isPrefix
                && (!deviation.isPrefix || deviation.scenario.utf8.count > known.scenario.utf8.count)
            if isNearer { best = deviation }
        }
        return best
    }
}

/// What is wrong with the key of a deviation.
public struct LedgerPatternError: Error, Sendable, Equatable {
    /// The error as a sentence for a person.
    public let sentence: String
}

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
