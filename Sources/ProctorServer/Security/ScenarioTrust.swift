internal import ProctorBase
internal import ProctorProgram
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

extension Scenario {
    /// Whether anything in it can't be had without the authority.
    var needsAuthority: Bool { origins.contains { $0.tls != nil || $0.scheme == .https } }

    /// The client identities that its cases name.
    fileprivate var identityNames: Set<String> {
        var names: Set<String> = []
        for program in cases.flatMap(\.client) {
            if let name = program.session?.identity { names.insert(name) }
            for case .identity(let name) in program.onChallenge { names.insert(name) }
        }
        return names
    }
}

extension TLSContexts {
    /// Makes sure that a scenario can be served, and gives what its clients need; nil where it needs nothing.
    ///
    /// Its own certificates are not minted yet, unless this system may not offer them at all, or their keys take
    /// seconds to make: those are made before the deadline of a client runs.
    func trust(for scenario: Scenario) async throws(SecurityRefusal) -> TrustFiles? {
        guard scenario.needsAuthority else { return nil }
        let opened = try await open()
        let threads = Self.threads(for: scenario.origins.compactMap(\.tls?.certificate), in: opened)
        return try await threads.run { self.check(scenario, by: opened) }.get()
    }

    private func check(_ scenario: Scenario, by opened: OpenAuthority) -> Result<TrustFiles, SecurityRefusal> {
        do throws(SecurityRefusal) {
            for origin in scenario.origins {
                if let program = origin.tls { try check(program, of: origin, in: scenario, by: opened) }
            }
            var identities: [String: Assignment.Identity] = [:]
            for name in scenario.identityNames.sorted() { identities[name] = try client(name, by: opened) }
            return .success(TrustFiles(authority: opened.authority.certificatePath, identities: identities))
        } catch {
            return .failure(error)
        }
    }

    private func check(
        _ program: TLSProgram, of origin: Origin, in scenario: Scenario, by opened: OpenAuthority
    ) throws(SecurityRefusal) {
        if let given = program.given {
            do throws(TLSSetupError) {
                let identity = try ServerIdentity(given)
                let setup = program.with(canAlert: scenario.alerts(at: origin))
                _ = try TLSServerContext(
                    setup, identity: identity,
                    clientAuthority: setup.clientCertificate == .none ? nil : opened.authority.certificateDER)
            } catch {
                // Files that do not fit are the fixture's fault, whatever OpenSSL calls it.
                throw SecurityRefusal(.badSetup, "\(origin.certificateLocation): \(error.description)")
            }
            return
        }
        let name = program.certificate
        guard let profile = opened.authority.catalog.profiles[name] else {
            let hint = opened.authority.catalog.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
            let count = opened.authority.catalog.profiles.count
            let more =
                count == 0
                ? "; no certificate is described at all: name their folder with --certs or PROCTOR_CERTS"
                : opened.complaints.first.map { " (\($0))" } ?? ""
            throw SecurityRefusal(
                .unknownName, "\(origin.location): there is no certificate '\(name)'\(hint)\(more)")
        }
        let setup = program.with(canAlert: scenario.alerts(at: origin))
        let shown = profile.mayNotBeOffered || profile.takesSeconds ? name : "valid"
        let identity = try Self.identity(shown, names: .loopback, revocation: revocation, by: opened)
        _ = try Self.context(setup, identity, by: opened)
    }

    private func client(
        _ name: String, by opened: OpenAuthority
    ) throws(SecurityRefusal) -> Assignment.Identity {
        do throws(AuthorityError) {
            let identity = try opened.authority.client(name)
            return Assignment.Identity(
                name: name, certificate: identity.certificatePath, key: identity.keyPath,
                pkcs12: identity.pkcs12Path, passphrase: ClientIdentity.passphrase)
        } catch {
            throw SecurityRefusal(error)
        }
    }
}

extension ServerIdentity {
    /// What a fixture brings itself.
    init(_ given: TLSProgram.GivenCertificate) throws(TLSSetupError) {
        try self.init(
            certificates: given.certificates, key: given.key, profile: TLSProgram.GivenCertificate.name)
    }
}

extension CertificateProfile {
    /// Systems differ on weak keys and digests; such keys cost milliseconds.
    fileprivate var mayNotBeOffered: Bool {
        let digests = [digest] + issuers.map(\.digest)
        return key == .rsa512 || key == .rsa1024 || digests.contains { $0 == .md5 || $0 == .sha1 }
    }

    /// A key of 8,192 bits takes from 5 to 22 seconds on one core, one of 4,096 up to 2; an authority makes each once.
    fileprivate var takesSeconds: Bool {
        ([key] + issuers.map(\.key)).contains { $0 == .rsa4096 || $0 == .rsa8192 }
    }
}

/// Why TLS can't be spoken as a scenario, or a port, wants it; everything that needs no TLS goes on.
public struct SecurityRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// What callers tell apart.
    public enum Reason: Sendable, Equatable {
        /// There is no private authority: its folder can't be had, or others could read its keys.
        case authority
        /// A certificate, or a client identity, has no description of that name.
        case unknownName
        /// The system's OpenSSL does not do what is asked for; no client is to be blamed.
        case notOffered
        /// Too much of it is under way; later it may be to be had.
        case busy
        /// The settings contradict one another, or are none.
        case badSetup
    }

    /// The kind.
    public let reason: Reason
    /// One sentence for a person, with what to do.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    init(_ refusal: AuthorityError) {
        let reason: Reason =
            switch refusal.reason {
            case .place, .permissions: .authority
            case .unknownName: .unknownName
            case .notOffered: .notOffered
            case .nameNotPermitted: .badSetup
            }
        self.init(reason, refusal.description)
    }

    init(_ refusal: TLSSetupError) {
        let isOffered = !refusal.description.hasPrefix("not offered")
        self.init(isOffered ? .badSetup : .notOffered, refusal.description)
    }
}
