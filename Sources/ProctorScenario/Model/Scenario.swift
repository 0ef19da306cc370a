public import ProctorBase
package import ProctorHTTP
import ProctorTLSWire

/// One checked fixture file: what is served, and the cases about it.
public struct Scenario: Sendable {
    /// The path below the fixture root without extension: `redirect/302-post-becomes-get`.
    public let id: String
    /// The beginning of the file, for messages about the whole scenario.
    public let location: SourceLocation
    /// One sentence: what the scenario shows.
    public let summary: String
    /// The documents that it comes from: `RFC 9110 §15.4.3`.
    public let spec: [String]
    /// Whether exchanges are used in the order of the file.
    package let sequence: Sequence
    /// Never empty; the first is the implicit `main`.
    package let origins: [Origin]
    /// Named guards first, then those written where they are used; each in the order of the file.
    package let guards: [Guard]
    /// In the order of the file.
    package let state: [StateName]
    /// Lua that all scripts share, in the order of the file.
    package let libraries: [FixtureScript]
    /// In the order of the file, which is the order of matching.
    package let exchanges: [Exchange]
    /// The departures that its guards refuse and that fail all its cases.
    package let untolerated: Set<Departure>
    /// In the order of the file.
    public let cases: [Case]
    /// Why it can't be served below a path of a shared port; nil when it can.
    package let rootReason: RootReason?
    /// The client identities that cases name, in order; not checked for existence here.
    package let identityNames: [Mention]
    /// Changes when the scenario changes (FNV-1a): hashes the file, the lengths of sidecar files, the content of packed
    /// ones, and the modification time of coded ones.
    package let fingerprint: UInt64

    /// In which order exchanges may be used.
    package enum Sequence: String, Sendable, CaseIterable {
        /// The first matching exchange that is not used up.
        case free
        /// Only the next exchange may match.
        case strict
    }

    /// Why a scenario leaves `{{base}}`, so that it needs its own ports.
    package struct RootReason: Sendable, Equatable {
        /// Half a sentence: `the Location "/b" is an absolute path`.
        package let text: String
        package let location: SourceLocation
        /// Whether a root is not enough: its origin is not one that a shared port can be.
        package var needsPort = false

        /// What keeps the scenario below a shared port, half a sentence; nil where nothing simple does.
        package var remedy: String? {
            text.hasSuffix("is an absolute path") ? "with {{base}} before the path it stays below the shared port" : nil
        }
    }

    /// A name in a fixture that refers to another file.
    package struct Mention: Sendable, Equatable {
        /// As the fixture writes it.
        package let name: String
        package let location: SourceLocation
    }
}

/// An error: the scenario has no case of that name.
public struct UnknownCase: Error, Sendable, CustomStringConvertible {
    /// Names the scenario, and the nearest case or all cases.
    public let description: String
}

extension Scenario {
    /// Everything that a client can be asked: each case, and after it its sitting as a download, where it has one.
    package var sittings: [Case] { cases.flatMap { [$0] + ($0.asDownload.map { [$0] } ?? []) } }

    /// A case, or its sitting as a download; throws an error that names the nearest one.
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
    /// The departures that its guards accept by their one meaning.
    package var tolerated: Set<Departure> { Set(Departure.allCases).subtracting(untolerated) }

    /// Whether any origin speaks TLS.
    package var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of its TLS origins without a certificate of their own, in order.
    ///
    /// A default profile has the place of its origin.
    package var certificateNames: [Mention] {
        origins.compactMap { origin in
            guard let program = origin.tls, program.given == nil else { return nil }
            return Mention(name: program.certificate, location: origin.certificateLocation)
        }
    }
}
