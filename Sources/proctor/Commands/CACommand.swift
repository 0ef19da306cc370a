internal import ProctorBase
internal import ProctorTLS

/// Prints or exports the private authority and what it mints.
let caCommand = Command(
    name: "ca", operands: "[trust-help [SYSTEM] | identity NAME | profiles] [FLAGS]",
    summary: "Prints the private authority that signs the certificates of tests, or exports it",
    discussion: """
        The authority is made when it is first asked for, in the folder that --ca-dir or PROCTOR_CA_DIR names, or else
        in your own data folder (~/.local/share/proctor/ca). It can vouch only for localhost, loopback addresses,
        .test and example.org, .com and .net. Nothing here ever prints its private key.

          proctor ca                     says what it is and where
          proctor ca --der > ca.der      exports its certificate; --pem and --p12 likewise. The PKCS#12 file holds
                                         the certificate alone, without a key, and opens with "proctor"
          proctor ca trust-help [SYSTEM] says how to trust it, and how to stop: \(TrustHelp.names.joined(separator: ", "))
          proctor ca identity NAME       exports a client identity as PEM and PKCS#12, and says where
          proctor ca profiles            lists certificates and client identities
        """,
    flags: [
        Flag("--pem", nil, "the certificate as PEM"),
        Flag("--der", nil, "the certificate as DER"),
        Flag("--p12", nil, "the certificate as PKCS#12, without its key"),
        Flag("--path", nil, "the path of the PEM file"),
        Flag("--ca-dir", "DIR", "the folder of the authority"),
        Flag("--certs", "DIR", "a folder of certificate profiles, added to those that are shipped"),
        Flag("--markdown", nil, "the profiles as the tables of Docs/tls.md"),
    ]
) { arguments, surroundings in
    let command = CACommand(arguments: arguments, surroundings: surroundings)
    let operands = arguments.operands
    switch operands.first {
    case nil: return try command.export()
    case "trust-help"? where operands.count <= 2: return try command.trustHelp(operands.dropFirst().first)
    case "identity"? where operands.count == 2: return try command.identity(operands[1])
    case "identity"?: throw UsageError("'ca identity' takes one name, as 'proctor ca profiles' lists them")
    case "profiles"? where operands.count == 1: return try command.profiles()
    case "trust-help"?, "profiles"?:
        throw UsageError("'ca \(operands[0])' does not take '\(operands[operands.count - 1])'")
    case let word?:
        let hint = NearestName.find(word, in: CACommand.actions).map { "did you mean '\($0)'?" }
        throw UsageError(
            "'ca' does not know '\(word)'; \(hint ?? "there are \(CACommand.actions.joined(separator: ", "))")")
    }
}

/// What `proctor ca` does, action by action.
struct CACommand {
    let arguments: ParsedArguments
    let surroundings: Surroundings

    static let actions = ["trust-help", "identity", "profiles"]
    private static let forms = ["--pem", "--der", "--p12", "--path"]

    /// The certificate in the form that a flag names, or a description.
    func export() throws -> ExitCode {
        let forms = Self.forms.filter { arguments.has($0) }
        guard forms.count <= 1 else { throw UsageError("say either \(forms[0]) or \(forms[1]), not both") }
        guard !arguments.has("--markdown") else { throw UsageError("--markdown is for 'proctor ca profiles'") }
        let authority = try authority(needsProfiles: false)
        let output = surroundings.output
        switch forms.first {
        case "--pem": output.out(authority.certificatePEM)
        case "--der": try binary(authority.certificateDER, "--der", "ca.der")
        case "--p12": try binary(try authority.certificatePKCS12(), "--p12", "ca.p12")
        case "--path": output.line(authority.certificatePath)
        default:
            output.line("subject      \(authority.facts(of: authority.certificateDER).subject)")
            output.line("sha-256      \(authority.certificateFingerprint)")
            output.line("certificate  \(authority.certificatePath)")
            output.line("trust it     proctor ca trust-help")
        }
        return .success
    }

    /// Exports an identity and says where its files are.
    func identity(_ name: String) throws -> ExitCode {
        try refuseForms(with: "identity")
        let identity = try authority(needsProfiles: true).client(name)
        surroundings.output.line("certificate  \(identity.certificatePath)")
        surroundings.output.line("key          \(identity.keyPath)")
        surroundings.output.line("pkcs12       \(identity.pkcs12Path)")
        surroundings.output.line("passphrase   \(ClientIdentity.passphrase)")
        return .success
    }

    /// How to trust the authority, for one system or all.
    func trustHelp(_ system: String?) throws -> ExitCode {
        try refuseForms(with: "trust-help")
        if let system, !TrustHelp.names.contains(system) {
            let hint = NearestName.find(system, in: TrustHelp.names).map { "did you mean '\($0)'?" }
            throw UsageError(
                "there is no help for '\(system)'; \(hint ?? "there is for \(TrustHelp.names.joined(separator: ", "))")"
            )
        }
        let authority = try authority(needsProfiles: false)
        surroundings.output.out(
            TrustHelp(path: authority.certificatePath, fingerprint: authority.certificateFingerprint).text(for: system))
        return .success
    }

    func refuseForms(with action: String) throws(UsageError) {
        for form in Self.forms + (action == "profiles" ? [] : ["--markdown"]) where arguments.has(form) {
            throw UsageError("\(form) is not for 'ca \(action)'")
        }
    }

    /// Bytes that are no text are not for a person's terminal.
    private func binary(_ bytes: [UInt8], _ flag: String, _ name: String) throws {
        guard !surroundings.output.isTerminal() else {
            throw UsageError("\(flag) is not for a terminal: proctor ca \(flag) > \(name)")
        }
        surroundings.output.bytes(bytes)
    }

    private func authority(needsProfiles: Bool) throws -> Authority {
        let book = needsProfiles ? try book() : CertificateBook()
        let place = arguments["--ca-dir"].map { AuthorityPlace.folder(WholePath.of($0)) } ?? .userData
        return try Authority.open(place, book: book, environment: surroundings.environment)
    }
}
