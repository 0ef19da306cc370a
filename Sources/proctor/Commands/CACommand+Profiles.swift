internal import ProctorBase
internal import ProctorDocument
internal import ProctorTLS

extension CACommand {
    /// Lists what can be minted, or writes it as tables.
    func profiles() throws -> ExitCode {
        try refuseForms(with: "profiles")
        let book = try book()
        let output = surroundings.output
        if arguments.has("--markdown") {
            output.out(ProfileTables(book: book, map: try badSSLMap()).markdown)
            return .success
        }
        let profiles = book.names.compactMap { book.profiles[$0] } + book.clientNames.compactMap { book.clients[$0] }
        let width = (profiles.map(\.name.count).max() ?? 0) + 2
        for profile in profiles {
            let role = profile.role == .server ? "server" : "client"
            let gap = String(repeating: " ", count: width - profile.name.count)
            output.line("\(role)  \(profile.name)\(gap)\(profile.verdict.rawValue)  \(profile.summary)")
        }
        return .success
    }

    /// What is shipped and what was added; a broken file is told and ends the command.
    func book() throws -> CertificateBook {
        let (book, diagnostics) = CertificateBook.load(folders: try folders())
        for diagnostic in diagnostics { surroundings.output.err("\(diagnostic)\n") }
        guard diagnostics.isEmpty else {
            throw InputFailure("\(FixtureReport.count(diagnostics.count, "error")) in certificate profiles")
        }
        return book
    }

    private func folders() throws(UsageError) -> [String] {
        let location = FixtureLocation(environment: surroundings.environment)
        let fixtures = (try? location.paths(named: [])) ?? []
        return try CertificateLocation(environment: surroundings.environment).folders(
            named: arguments["--certs"], fixturePaths: fixtures)
    }

    private func badSSLMap() throws -> BadSSLMap {
        for folder in try folders().reversed() {
            guard let bytes = try? InputFile.bytes(of: "\(folder)/badssl.yaml", limit: 1 << 20) else { continue }
            let (map, diagnostics) = BadSSLMap.parse(bytes, file: "\(folder)/badssl.yaml")
            for diagnostic in diagnostics { surroundings.output.err("\(diagnostic)\n") }
            return map
        }
        return BadSSLMap()
    }
}
