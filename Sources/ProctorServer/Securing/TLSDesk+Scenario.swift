internal import ProctorBase
internal import ProctorScenario
internal import ProctorTLS
internal import ProctorTrace

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

extension TLSDesk {
    /// Makes sure that a scenario can be served, and gives what its clients need; nil where it needs nothing.
    ///
    /// Its own certificates are not minted yet, unless they may not be to be had at all, or their keys take seconds to
    /// make: those are made before anybody's deadline runs.
    func trust(for scenario: Scenario) async throws(SecurityRefusal) -> TrustFiles? {
        guard scenario.needsAuthority else { return nil }
        let room = try await open()
        let threads = Self.threads(for: scenario.origins.compactMap(\.tls?.certificate), in: room)
        return try await threads.run { self.check(scenario, room) }.get()
    }

    private func check(_ scenario: Scenario, _ room: Room) -> Result<TrustFiles, SecurityRefusal> {
        do throws(SecurityRefusal) {
            for origin in scenario.origins {
                if let program = origin.tls { try check(program, of: origin, in: scenario, room) }
            }
            var identities: [String: Assignment.Identity] = [:]
            for name in scenario.identityNames.sorted() { identities[name] = try client(name, scenario, room) }
            return .success(TrustFiles(authority: room.authority.certificatePath, identities: identities))
        } catch {
            return .failure(error)
        }
    }

    private func check(
        _ program: TLSProgram, of origin: Origin, in scenario: Scenario, _ room: Room
    ) throws(SecurityRefusal) {
        if let given = program.given {
            do throws(TLSRefusal) {
                let identity = try ServerIdentity(given)
                let setup = TLSServerSetup(program, canAlert: scenario.alerts(at: origin))
                _ = try TLSServerContext(
                    setup, identity: identity,
                    clientAuthority: setup.clientCertificate == .none ? nil : room.authority.certificateDER)
            } catch {
                // Files that do not fit are the fixture's fault, whatever OpenSSL calls it.
                throw SecurityRefusal(.badSetup, "\(origin.certificateLocation): \(error.description)")
            }
            return
        }
        let name = program.certificate
        guard let profile = room.authority.book.profiles[name] else {
            let hint = room.authority.book.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
            let count = room.authority.book.profiles.count
            let more =
                count == 0
                ? "; no certificate is described at all: name their folder with --certs or PROCTOR_CERTS"
                : room.complaints.first.map { " (\($0))" } ?? ""
            throw SecurityRefusal(
                .unknownName, "\(origin.location): there is no certificate '\(name)'\(hint)\(more)")
        }
        let setup = TLSServerSetup(program, canAlert: scenario.alerts(at: origin))
        let shown = profile.mayNotBeOffered || profile.takesSeconds ? name : "valid"
        let identity = try Self.identity(shown, .loopback, revocation, room)
        _ = try Self.context(setup, identity, room)
    }

    private func client(
        _ name: String, _ scenario: Scenario, _ room: Room
    ) throws(SecurityRefusal) -> Assignment.Identity {
        do throws(AuthorityRefusal) {
            let identity = try room.authority.client(name)
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
    init(_ given: TLSProgram.GivenCertificate) throws(TLSRefusal) {
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
