internal import ProctorBase
internal import ProctorDocument
internal import ProctorTLS

let caCommand = Command(
    name: "ca", fillings: { ["systems": TrustInstructions.names.joined(separator: ", ")] }, words: { CACommand.actions }
) { arguments, context in
    let command = CACommand(arguments: arguments, context: context)
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
        let known = "there are \(CACommand.actions.joined(separator: ", "))"
        throw UsageError(
            "'ca' does not know '\(word)'; \(NearestName.hint(for: word, in: CACommand.actions, else: known))")
    }
}

struct CACommand {
    let arguments: ParsedArguments
    let context: CommandContext

    static let actions = ["trust-help", "identity", "profiles"]
    private static let forms = ["--pem", "--der", "--p12", "--path"]

    /// Writes the certificate in the form that a flag selects, or a description.
    func export() throws -> ExitCode {
        let forms = Self.forms.filter { arguments.has($0) }
        guard forms.count <= 1 else { throw UsageError("say either \(forms[0]) or \(forms[1]), not both") }
        guard !arguments.has("--markdown") else { throw UsageError("--markdown is for 'proctor ca profiles'") }
        let authority = try authority(needsProfiles: false)
        let output = context.output
        switch forms.first {
        case "--pem": output.out(authority.certificatePEM)
        case "--der": try binary(authority.certificateDER, "--der", name: "ca.der")
        case "--p12": try binary(try authority.certificatePKCS12(), "--p12", name: "ca.p12")
        case "--path": output.line(authority.certificatePath)
        default:
            output.line("subject      \(authority.facts(of: authority.certificateDER).subject)")
            output.line("sha-256      \(authority.certificateFingerprint)")
            output.line("certificate  \(authority.certificatePath)")
            output.line("trust it     proctor ca trust-help")
        }
        return .success
    }

    func identity(_ name: String) throws -> ExitCode {
        try refuseForms(with: "identity")
        let identity = try authority(needsProfiles: true).client(name)
        context.output.line("certificate  \(identity.certificatePath)")
        context.output.line("key          \(identity.keyPath)")
        context.output.line("pkcs12       \(identity.pkcs12Path)")
        context.output.line("passphrase   \(ClientIdentity.passphrase)")
        return .success
    }

    func trustHelp(_ system: String?) throws -> ExitCode {
        try refuseForms(with: "trust-help")
        if let system, !TrustInstructions.names.contains(system) {
            let known = "there is for \(TrustInstructions.names.joined(separator: ", "))"
            throw UsageError(
                "there is no help for '\(system)'; "
                    + NearestName.hint(for: system, in: TrustInstructions.names, else: known))
        }
        let authority = try authority(needsProfiles: false)
        context.output.out(
            TrustInstructions(path: authority.certificatePath, fingerprint: authority.certificateFingerprint).text(
                for: system))
        return .success
    }

    private func refuseForms(with action: String) throws(UsageError) {
        for form in Self.forms + (action == "profiles" ? [] : ["--markdown"]) where arguments.has(form) {
            throw UsageError("\(form) is not for 'ca \(action)'")
        }
    }

    /// Refuses to write binary data to a terminal.
    private func binary(_ bytes: [UInt8], _ flag: String, name: String) throws {
        guard !context.output.isTerminal() else {
            throw UsageError("\(flag) is not for a terminal: proctor ca \(flag) > \(name)")
        }
        context.output.bytes(bytes)
    }

    private func authority(needsProfiles: Bool) throws -> Authority {
        let catalog = needsProfiles ? try catalog() : CertificateCatalog()
        let place = arguments["--ca-dir"].map { AuthorityStorage.folder(AbsolutePath.resolve($0)) } ?? .userData
        return try Authority.open(place, catalog: catalog, environment: context.environment)
    }

    /// Lists the profiles of certificates, or prints them as tables.
    func profiles() throws -> ExitCode {
        try refuseForms(with: "profiles")
        let catalog = try catalog()
        let output = context.output
        if arguments.has("--markdown") {
            output.out(ProfileTables(catalog: catalog, map: try badSSLMap()).markdown)
            return .success
        }
        let profiles =
            catalog.names.compactMap { catalog.profiles[$0] } + catalog.clientNames.compactMap { catalog.clients[$0] }
        let width = (profiles.map(\.name.count).max() ?? 0) + 2
        for profile in profiles {
            let role = profile.role == .server ? "server" : "client"
            let gap = String(repeating: " ", count: width - profile.name.count)
            output.line("\(role)  \(profile.name)\(gap)\(profile.verdict.rawValue)  \(profile.summary)")
        }
        return .success
    }

    /// The shipped and added profiles; an invalid file is reported and ends the command.
    private func catalog() throws -> CertificateCatalog {
        let (catalog, diagnostics) = CertificateCatalog.load(folders: try folders())
        for diagnostic in diagnostics { context.output.err("\(diagnostic)\n") }
        guard diagnostics.isEmpty else {
            throw InputFailure("\(Plural.count(diagnostics.count, "error")) in certificate profiles")
        }
        return catalog
    }

    private func folders() throws -> [String] {
        let location = FixtureLocation(environment: context.environment)
        let fixtures = try location.libraryIfAny()?.own ?? []
        return try CertificateLocation(environment: context.environment).folders(
            named: arguments["--certs"], fixturePaths: fixtures)
    }

    private func badSSLMap() throws -> BadSSLMap {
        for folder in try folders().reversed() {
            guard try FileKind.certain(of: "\(folder)/badssl.yaml") != nil else { continue }
            let bytes = try InputFile.bytes(of: "\(folder)/badssl.yaml", limit: 1 << 20)
            let (map, diagnostics) = BadSSLMap.parse(bytes, file: "\(folder)/badssl.yaml")
            for diagnostic in diagnostics { context.output.err("\(diagnostic)\n") }
            return map
        }
        return BadSSLMap()
    }
}
