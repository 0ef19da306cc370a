package import ProctorBase
package import ProctorEvents
package import ProctorNotation
import ProctorRules
package import ProctorScenario

/// The known deviations of one client, by case; no expectation of a case is changed for it.
public struct Ledger: Sendable {
    /// The client's name, which is also the name of the file: `curl`.
    public let client: String
    /// The checked version of the client, or its beginning: `7.88`; nil: any version.
    public internal(set) var version: String?
    /// The adapter that was used when the ledger was written; nil when the ledger has none.
    public internal(set) var adapter: String?
    /// The adapter's version that the ledger applies to; nil means any.
    package internal(set) var adapterVersion: String?
    /// The platform whose constants and switches apply to the client: `corelibs-6.3`; nil means none.
    package internal(set) var platform: String?
    /// Rules that the client breaks in every case in which they can be broken, in the order of the file.
    package internal(set) var rules: [KnownRule] = []
    /// Events that the client never reports, in the order of the file.
    package internal(set) var never: [NeverEvent] = []
    /// What the client's project says about causes, in the order of the file.
    package internal(set) var upstream: [KnownCause] = []
    /// What the client breaks where it makes many loads at once, by the names of invariants, in the order of the file.
    package internal(set) var invariants: [Entry<String>] = []
    package let deviations: [Deviation]

    /// Whether the ledger applies to that version of the client: `7.88` applies to 7.88 and 7.88.1, and not to 7.880.
    package func speaks(ofVersion other: String) -> Bool {
        guard let version else { return true }
        return other == version || other.hasPrefix(version + ".")
    }

    /// Differences between the trace's header and the ledger's client, a sentence each; a value that the header lacks
    /// is no difference.
    package func mismatches(with header: TraceHeader) -> [String] {
        var sentences: [String] = []
        if let other = header.client, other != client {
            sentences.append("written for \(client), and the trace is of \(other)")
        } else if let other = header.clientVersion, !speaks(ofVersion: other) {
            sentences.append(
                "written for \(client) \(version ?? ""), and the trace is of \(other), so that what no longer happens fails nothing"
            )
        }
        guard let adapter, let other = header.adapter else { return sentences }
        let mine = [adapter, adapterVersion].compactMap(\.self).joined(separator: " ")
        let theirs = [other, header.adapterVersion].compactMap(\.self).joined(separator: " ")
        let isSame = adapter == other && (adapterVersion == nil || adapterVersion == header.adapterVersion)
        if !isSame { sentences.append("made with the adapter \(mine), and the trace is of \(theirs)") }
        return sentences
    }

    /// Whether an entry that did not happen is out of date; it is not when it was written for another version of the
    /// client.
    package func mustHappen(_ deviation: Deviation? = nil, inVersion other: String?) -> Bool {
        guard let other, deviation?.versions == nil else { return true }
        return speaks(ofVersion: other)
    }

    package struct Entry<Subject: Sendable & Equatable>: Sendable, Equatable {
        package let subject: Subject
        /// The reason, a sentence or a link.
        package let because: String
        package let location: SourceLocation
    }

    package typealias KnownRule = Entry<RuleNumber>

    /// An event that the client never reports; a subject with an argument is only about events with that argument.
    ///
    /// When a case expects the event, it counts as seen, and the rest of the case is judged. When the event occurs, the
    /// entry is wrong.
    package typealias NeverEvent = Entry<TraceEventSymbol>

    /// A case, or all cases of that name in several scenarios, that the client does not pass.
    package struct Deviation: Sendable, Equatable {
        package let pattern: String
        /// The scenario's id, or the beginning of it when ``isPrefix``.
        package let scenario: String
        package let isPrefix: Bool
        package let name: String
        /// The section or rule that the client breaks, for a reader: `RFC 9110 §15.4.4`.
        package let rule: String?
        package let because: String
        /// The requests that the client makes instead; any others are not covered by the entry.
        package let wire: Notation?
        /// The known differences other than the wire.
        package let parts: Parts
        /// Whether it happens only in some runs, so that a run without it does not make the entry out of date.
        package let isSporadic: Bool
        /// The versions of the client with this deviation; nil: all.
        package let versions: VersionRange?
        /// The place of the case's name.
        package let location: SourceLocation
        /// The place of the entry's first case; entries of several cases have one deviation for each.
        package let entry: SourceLocation

        /// The known differences in a case; only ``Deviation/wire`` may stand in their place.
        package struct Parts: Sendable, Equatable {
            /// The causes of all failures of the case, its own first; one without ` · ` is every cause of its kind.
            package var causes: [FailureCause] = []
            package internal(set) var rules: [RuleNumber] = []
            package var stop: Stop?
            package internal(set) var facts: [FactName] = []
            /// Fields of callbacks that differ from what the server sent: `realm`, `url`.
            package internal(set) var fields: [String] = []
            /// The events of its lanes in place of the wanted ones, by the case's lane names.
            package internal(set) var lanes: [String: Notation] = [:]

            package init() {}

            package var isEmpty: Bool { causes.isEmpty && hasCausesAlone }

            /// Whether nothing but causes is listed.
            package var hasCausesAlone: Bool {
                rules.isEmpty && stop == nil && facts.isEmpty && fields.isEmpty && lanes.isEmpty
            }

            /// Whether a finding with that cause is listed.
            func lists(_ cause: FailureCause) -> Bool { causes.contains { $0.covers(cause) } }
        }

        /// A crash or a hang, as the key `outcome` writes it.
        package enum Stop: String, Sendable, CaseIterable { case crash, hang }

        /// Splits the pattern into scenario, optional `*`, `#` and case name.
        package init(
            pattern: String, rule: String?, because: String, wire: Notation?, parts: Parts = Parts(),
            isSporadic: Bool = false, versions: VersionRange? = nil, location: SourceLocation, entry: SourceLocation
        ) throws(LedgerPatternError) {
            (scenario, isPrefix, name) = try Self.split(pattern)
            (self.pattern, self.rule, self.because, self.wire, self.parts) = (pattern, rule, because, wire, parts)
            (self.isSporadic, self.versions, self.location, self.entry) = (isSporadic, versions, location, entry)
        }

        package func covers(_ id: CaseID) -> Bool {
            guard id.name == name else { return false }
            return isPrefix ? id.scenario.utf8.starts(with: scenario.utf8) : id.scenario == scenario
        }

        private static func split(_ pattern: String) throws(LedgerPatternError) -> (
            scenario: String, isPrefix: Bool, name: String
        ) {
            let parts = pattern.split(separator: "#", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw LedgerPatternError(
                    sentence: #""\#(pattern)" is not a scenario, '#' and a case: redirect/302#follow"#)
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

    /// The deviation for a case: its own entry, else the one with the longest prefix.
    ///
    /// `version` is the client's; nil: unknown, and entries for all versions are used.
    package func deviation(for id: CaseID, ofVersion version: String? = nil) -> Deviation? {
        var best: Deviation?
        for deviation in deviations where deviation.covers(id) {
            if let version, let versions = deviation.versions, !versions.contains(version) { continue }
            guard let known = best else {
                best = deviation
                continue
            }
            let isNearer =
                known.isPrefix && (!deviation.isPrefix || deviation.scenario.utf8.count > known.scenario.utf8.count)
            if isNearer { best = deviation }
        }
        return best
    }
}

package struct LedgerPatternError: Error, Sendable, Equatable {
    package let sentence: String
}

extension Ledger.NeverEvent {
    /// The challenges that a URLProtocol never passes to its client, since it handles TLS itself (R20).
    static func ofProtocols(_ item: Case) -> [Self] {
        ["serverTrust", "clientCert"].map { kind in
            Self(
                subject: TraceEventSymbol(EventName.challenge.rawValue, kind),
                because: "a URLProtocol settles it itself (R20)", location: item.location)
        }
    }

    static func ofPlatform(_ platform: Platform, _ item: Case) -> [Self] {
        platform.never.map {
            Self(subject: $0, because: "platform \(platform.name) never tells it", location: item.location)
        }
    }

    /// The rule that a client breaks by never reporting the event; nil when no rule requires it.
    package var rule: RuleNumber? { subject.name == EventName.challenge.rawValue && isOfTLS ? RuleNumber(18) : nil }

    private var isOfTLS: Bool { subject.argument == "serverTrust" || subject.argument == "clientCert" }

    /// Whether the symbol matches only this event.
    func covers(_ asked: NotationSymbol) -> Bool {
        guard asked.name == subject.name else { return false }
        guard let argument = subject.argument else { return true }
        return asked.arguments == [.exact(argument)]
    }

    func covers(_ event: TraceEventSymbol) -> Bool {
        event.name == subject.name && (subject.argument == nil || event.argument == subject.argument)
    }
}

extension [Ledger.NeverEvent] {
    /// Whether the symbol matches only these events.
    func cover(_ asked: NotationSymbol) -> Bool {
        if contains(where: { $0.covers(asked) }) { return true }
        // A symbol may have several arguments: `challenge(serverTrust|clientCert)`.
        return asked.arguments.count > 1
            && asked.arguments.allSatisfy { pattern in
                let one = NotationSymbol(name: asked.name, arguments: [pattern])
                return contains { $0.covers(one) }
            }
    }
}
