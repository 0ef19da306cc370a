public import ProctorBase
package import ProctorHTTP
import ProctorTLSWire

/// One checked fixture file: the exchanges that the server plays, and the cases.
public struct Scenario: Sendable {
    /// The path below the fixture root without extension: `redirect/302-post-becomes-get`.
    public let id: String
    /// The beginning of the file, for messages about the whole scenario.
    public let location: SourceLocation
    /// One sentence that says what the scenario shows.
    public let summary: String
    /// The documents that the scenario is based on: `RFC 9110 §15.4.3`.
    public let spec: [String]
    /// Whether exchanges must be used in the order of the file.
    package let sequence: Sequence
    /// The origins, never empty; the first one may be the implicit `main`.
    package internal(set) var origins: [Origin]
    /// First the named guards, then those written where they are used, each in the order of the file.
    package let guards: [Guard]
    /// The names of the state, in the order of the file.
    package let state: [StateName]
    /// Lua code that all scripts share, in the order of the file.
    package let libraries: [FixtureScript]
    /// The exchanges in the order of the file, in which they are matched.
    package let exchanges: [Exchange]
    /// The departures that its guards refuse and that fail each of its cases.
    package let untolerated: Set<Departure>
    /// The cases in the order of the file.
    public internal(set) var cases: [Case]
    /// Why the scenario can't be served below a path of a shared port; nil when it can.
    package let rootReason: RootReason?
    /// The client identities that cases name, in order; whether they exist is not checked here.
    package let identityNames: [Mention]
    /// The description that its messages are held against; nil: none.
    package let service: (any DescribedService)?
    /// How its server of DNS replies; nil: a client is told where the names stand.
    package let dns: (any NameServerProgram)?
    /// What happens to the run's clock at its start; empty: it shows the real time.
    package let clock: [ClockChange]
    /// A hash (FNV-1a) that changes when the scenario changes.
    ///
    /// It is computed from the file, the lengths of sidecar files, the content of packed ones, and the modification
    /// time of coded ones.
    package let fingerprint: UInt64

    package init(
        id: String, location: SourceLocation, summary: String, spec: [String], sequence: Sequence, origins: [Origin],
        guards: [Guard], state: [StateName], libraries: [FixtureScript], exchanges: [Exchange],
        untolerated: Set<Departure>, cases: [Case], rootReason: RootReason?, identityNames: [Mention],
        service: (any DescribedService)? = nil, dns: (any NameServerProgram)? = nil, clock: [ClockChange] = [],
        fingerprint: UInt64
    ) {
        (self.service, self.dns, self.clock, self.id, self.location) = (service, dns, clock, id, location)
        (self.summary, self.spec, self.sequence, self.origins, self.guards) = (summary, spec, sequence, origins, guards)
        (self.state, self.libraries, self.exchanges, self.untolerated) = (state, libraries, exchanges, untolerated)
        (self.cases, self.rootReason, self.identityNames) = (cases, rootReason, identityNames)
        self.fingerprint = fingerprint
    }

    /// In which order exchanges may be used.
    package enum Sequence: String, Sendable, CaseIterable {
        /// The first matching exchange that is not used up.
        case free
        /// Only the next exchange may match.
        case strict
    }

    /// Why a scenario refers to URLs outside `{{base}}`, so that it needs ports of its own.
    package struct RootReason: Sendable, Equatable {
        /// Half a sentence: `the Location "/b" is an absolute path`.
        package let text: String
        package let location: SourceLocation
        /// Whether a port of its own is needed, since a shared port can't be its origin.
        package var needsPort = false

        /// How to change the scenario so that a shared port can serve it, half a sentence; nil when there is no simple
        /// way.
        package var remedy: String? {
            text.hasSuffix("is an absolute path") ? "with {{base}} before the path it stays below the shared port" : nil
        }
    }

    /// A name in a fixture that refers to something outside the file.
    package struct Mention: Sendable, Equatable {
        /// As the fixture writes it.
        package let name: String
        package let location: SourceLocation

        package init(name: String, location: SourceLocation) {
            (self.name, self.location) = (name, location)
        }
    }
}

/// The error when the scenario has no case of that name.
public struct UnknownCase: Error, Sendable, CustomStringConvertible {
    /// A sentence with the scenario, and with the nearest case name or all names.
    public let description: String
}

extension Scenario {
    /// A copy of the scenario with that case alone; nil where the scenario has none of that name.
    package func holding(case name: String) -> Scenario? {
        var copy = self
        copy.cases = cases.filter { $0.name == name }
        return copy.cases.isEmpty ? nil : copy
    }
}

extension Scenario {
    /// All cases as a client runs them: each case, followed by the same case as a download where it has one.
    package var sittings: [Case] { cases.flatMap { [$0] + ($0.asDownload.map { [$0] } ?? []) } }

    /// The case of that name, also one run as a download; throws an error that names the nearest case.
    public func `case`(named name: String) throws(UnknownCase) -> Case {
        let sittings = sittings
        if let item = sittings.first(where: { $0.name == name }) { return item }
        let names = sittings.map(\.name)
        let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
        let all = names.isEmpty ? "none at all" : names.joined(separator: ", ")
        throw UnknownCase(description: "\(id) has no case '\(name)'; \(hint ?? "it has \(all)")")
    }
}

extension Scenario {
    /// The departures that its guards accept, since their meaning is unambiguous.
    package var tolerated: Set<Departure> { Set(Departure.allCases).subtracting(untolerated) }

    package var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of its TLS origins that have no certificate of their own, in order.
    ///
    /// The location of a default profile is that of its origin.
    package var certificateNames: [Mention] {
        origins.compactMap { origin in
            guard let program = origin.tls, program.given == nil else { return nil }
            return Mention(name: program.certificate, location: origin.certificateLocation)
        }
    }
}
