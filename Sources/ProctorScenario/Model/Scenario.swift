public import ProctorBase
import ProctorTLSWire

/// One fixture file, loaded and checked: what is served, and the questions asked about it.
public struct Scenario: Sendable {
    /// The path below the fixture root without extension: `redirect/302-post-becomes-get`.
    public let id: String
    /// Where the file begins; messages about the whole scenario point here.
    public let location: SourceLocation
    /// One sentence on what the scenario shows.
    public let summary: String
    /// The documents it comes from: `RFC 9110 §15.4.3`.
    public let spec: [String]
    /// Whether exchanges must be used in the order of the file.
    public let sequence: Sequence
    /// Never empty; the first is the implicit `main`.
    public let origins: [Origin]
    /// Those with names first, then those that are written out where they are asked for; each in the order of the file.
    public let guards: [Guard]
    /// In the order of the file, which is the order of matching.
    public let exchanges: [Exchange]
    /// In the order of the file.
    public let cases: [Case]
    /// Why it can't be served below a path of a shared port; nil when it can.
    public let rootReason: RootReason?
    /// Client identities that its cases name, in the order of the file; whether there are such is known elsewhere.
    public let identityNames: [Mention]
    /// Tells a changed scenario from one that is the same as before (FNV-1a).
    ///
    /// Of the file's bytes, of its sidecar files' lengths, of the content of those that are packed at load, and of the
    /// last change of those that are coded.
    public let fingerprint: UInt64

    /// In which order exchanges may be used.
    public enum Sequence: String, Sendable, CaseIterable {
        /// The first exchange that matches and is not used up.
        case free
        /// Only the next exchange of the file may match.
        case strict
    }

    /// What makes a scenario leave `{{base}}`, so that it needs ports of its own.
    public struct RootReason: Sendable, Equatable {
        /// Half a sentence: `the Location "/b" is an absolute path`.
        public let text: String
        /// Of what makes it so.
        public let location: SourceLocation

        /// Half a sentence and its place.
        public init(text: String, location: SourceLocation) {
            self.text = text
            self.location = location
        }
    }

    /// A name in a fixture that stands for something in a file of its own.
    public struct Mention: Sendable, Equatable {
        /// As the fixture writes it.
        public let name: String
        /// Where it is written.
        public let location: SourceLocation

        /// A name and its place.
        public init(name: String, location: SourceLocation) {
            self.name = name
            self.location = location
        }
    }

    /// Every part as the fixture gives it, or its default.
    public init(
        id: String, location: SourceLocation, summary: String, spec: [String], sequence: Sequence, origins: [Origin],
        guards: [Guard] = [], exchanges: [Exchange], cases: [Case], rootReason: RootReason?,
        identityNames: [Mention] = [], fingerprint: UInt64 = 0
    ) {
        self.identityNames = identityNames
        self.id = id
        self.location = location
        self.summary = summary
        self.spec = spec
        self.sequence = sequence
        self.origins = origins
        self.guards = guards
        self.exchanges = exchanges
        self.cases = cases
        self.rootReason = rootReason
        self.fingerprint = fingerprint
    }
}

/// A name that no case of a scenario has.
public struct UnknownCase: Error, Sendable, CustomStringConvertible {
    /// Names the scenario, and the case that was probably meant or those there are.
    public let description: String
}

extension Scenario {
    /// Throws a sentence for the person who wrote the name.
    public func `case`(named name: String) throws(UnknownCase) -> Case {
        if let item = cases.first(where: { $0.name == name }) { return item }
        let names = cases.map(\.name)
        let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
        let all = names.isEmpty ? "none at all" : names.joined(separator: ", ")
        throw UnknownCase(description: "\(id) has no case '\(name)'; \(hint ?? "it has \(all)")")
    }
}

extension Scenario {
    /// Whether any of its origins speaks TLS.
    public var speaksTLS: Bool { origins.contains { $0.tls != nil } }

    /// The certificate profiles of its origins that speak TLS and bring no certificate of their own, in their order.
    ///
    /// The place of a name that goes without saying is that of the origin.
    public var certificateNames: [Mention] {
        origins.compactMap { origin in
            guard let program = origin.tls, program.given == nil else { return nil }
            return Mention(name: program.certificate, location: origin.certificateLocation)
        }
    }
}
