internal import ProctorBase
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorReplies
package import ProctorScenario
package import ProctorTLS
package import ProctorTLSWire

extension Scenario {
    /// Whether any origin of the scenario needs the authority.
    var needsAuthority: Bool { origins.contains { $0.tls != nil || $0.scheme == .https } }

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
    /// Checks that a scenario's TLS can be served, and returns the files for its clients; nil without TLS.
    ///
    /// Its certificates are made later, except those that the system may refuse and those whose keys take seconds,
    /// which would use up a client's deadline.
    package func trust(for scenario: Scenario) async throws(SecurityRefusal) -> TrustFiles? {
        guard scenario.needsAuthority else { return nil }
        let opened = try await open()
        let threads = Self.threads(for: scenario.origins.compactMap(\.tls?.certificate), in: opened)
        return try await threads.attempt(within: .ofInput) { _ throws(SecurityRefusal) in
            try self.check(scenario, by: opened)
        }
    }

    private func check(_ scenario: Scenario, by opened: OpenAuthority) throws(SecurityRefusal) -> TrustFiles {
        for origin in scenario.origins {
            if let program = origin.tls { try check(program, of: origin, in: scenario, by: opened) }
        }
        var identities: [String: Assignment.Identity] = [:]
        for name in scenario.identityNames.sorted() { identities[name] = try client(name, by: opened) }
        return TrustFiles(authority: opened.authority.certificatePath, identities: identities)
    }

    private func check(
        _ program: TLSProgram, of origin: Origin, in scenario: Scenario, by opened: OpenAuthority
    ) throws(SecurityRefusal) {
        let setup = program.with(canAlert: scenario.alerts(at: origin))
        if let given = program.given {
            do throws(TLSSetupError) {
                let identity = try ServerIdentity(given)
                _ = try TLSServerContext(
                    setup, identity: identity,
                    clientAuthority: setup.clientCertificate == .none ? nil : opened.authority.certificateDER)
            } catch {
                // Files that do not fit are a fault of the fixture, whatever error OpenSSL returns.
                throw SecurityRefusal(.badSetup, "\(origin.certificateLocation): \(error.description)")
            }
            return
        }
        let name = program.certificate
        let catalog = opened.authority.catalog
        guard let profile = catalog.profiles[name] else {
            let hint = catalog.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
            let more =
                catalog.profiles.isEmpty
                ? "; no certificate is described at all: name their folder with --certs or PROCTOR_CERTS"
                : opened.complaints.first.map { " (\($0))" } ?? ""
            throw SecurityRefusal(
                .unknownName, "\(origin.location): there is no certificate '\(name)'\(hint)\(more)")
        }
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
    package init(_ given: TLSProgram.GivenCertificate) throws(TLSSetupError) {
        try self.init(
            certificates: given.certificates, key: given.key, profile: TLSProgram.GivenCertificate.name)
    }
}

extension CertificateProfile {
    /// Systems differ on weak keys and digests; such keys take milliseconds.
    fileprivate var mayNotBeOffered: Bool {
        let all = issuers + others.map(\.issuer)
        return ([key] + all.map(\.key)).contains { $0 == .rsa512 || $0 == .rsa1024 }
            || ([digest] + all.map(\.digest)).contains { $0 == .md5 || $0 == .sha1 }
    }

    /// A key of 8,192 bits takes 5 to 22 seconds on one core, one of 4,096 up to 2; an authority makes each once.
    fileprivate var takesSeconds: Bool {
        ([key] + issuers.map(\.key)).contains { $0 == .rsa4096 || $0 == .rsa8192 }
    }
}

extension TLSProgram {
    package func with(canAlert: Bool) -> TLSProgram {
        var program = self
        program.canAlert = canAlert
        return program
    }
}

extension Scenario {
    package func alerts(at origin: Origin) -> Bool {
        let index = origins.firstIndex { $0.name == origin.name }
        let replies =
            exchanges.filter { $0.origin == index }.flatMap(\.replies) + guards.flatMap(\.refusals)
        let actions = origin.connectionEffects.map(\.action) + replies.flatMap(\.actions)
        return actions.contains { $0.verb == .alert }
    }
}
