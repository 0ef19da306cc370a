internal import ProctorBase
internal import ProctorFixtures
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorServer
internal import ProctorServing

let serveCommand = Command(name: "serve") { arguments, context in
    let packs = try arguments.all("--pack").map(Pack.init(named:))
    let respawn = RespawnNote(environment: context.environment)
    let options = try ServeOptions(arguments, packs: packs, respawn: respawn)
    if arguments.has("--respawn"), respawn == nil {
        return try await Respawning(
            arguments: ProcessContext.current().arguments, environment: context.environment, output: context.output
        ).run()
    }
    let inline = try InlineScenario.read(arguments.all("--inline"))
    let added = arguments.all("--fixtures")
    var paths: [FixturePath] = []
    if !arguments.operands.isEmpty {
        paths = arguments.operands.map { FixturePath($0) }
    } else if inline == nil, packs.isEmpty {
        paths = try FixtureLocation(environment: context.environment).library().paths
    }
    guard !options.watches || !paths.isEmpty || !packs.isEmpty || !added.isEmpty else {
        throw UsageError("--watch looks at files, and with --inline alone there are none; name a PATH too")
    }
    let authority = try AuthorityOptions(
        arguments, fixturePaths: paths.map(\.path) + added + packs.map(\.folder), environment: context.environment)
    let fixtures = ServedFixtures(
        paths: added.map { FixturePath($0) }
            + paths.map { FixturePath($0.path, rank: added.isEmpty ? $0.rank : $0.rank + 1) } + packs.map(\.path),
        inline: inline)
    var output = context.output
    output.style = Style.choose(arguments["--color"], isTerminal: output.isErrorTerminal(), context.environment)
    let serving = Serving(options: options, authority: authority, fixtures: fixtures, output: output)
    let files = fixtures.find()
    if let sentence = ReplacedScenarios.sentence(files.replaced) { output.message(sentence) }
    // Errors in paths and names are known already, and belong to no single scenario.
    if files.diagnostics.isEmpty, !arguments.has("--check-first") {
        let check = LateCheck(certificates: CertificateReport(folders: authority.folders), output: context.output)
        return try await serving.run(Catalogue(check.reading(files)), check)
    }
    let loaded = FixtureReport.load(files, certificates: authority.folders, context.output) { _ in true }
    let partial = PartialLoad(loaded, former: [])
    // With --watch, the user is editing files, so the valid scenarios are served meanwhile.
    guard loaded.isClean || options.watches && !partial.scenarios.isEmpty else { return .failure }
    return try await serving.run(Catalogue(partial.scenarios), nil)
}

struct ServeOptions {
    /// The server's configuration by the flags; journal and authority are set later.
    let configuration: ServerConfiguration
    let journalPath: String?
    /// The most bytes of the journal file.
    let journalLimit: Int
    let readyFile: String?
    let watches: Bool
    /// Whether the ready line has the token, since this server has made it.
    let tellsToken: Bool
    /// How long replies may continue after a signal.
    let grace: Duration
    /// The form of the request log; nil: text when standard error is a terminal.
    let log: RequestLogForm?
    /// The note for a server that `--respawn` has started; nil for another server.
    let respawn: RespawnNote?

    static let defaultPort = 8088

    /// 128 bits of the system's generator, as hexadecimal digits.
    static var randomToken: String {
        (0..<16).map { _ in UInt8.random(in: 0 ... .max).hexadecimal() }.joined()
    }

    /// The default of --grace in seconds.
    private static let defaultGrace = 10

    init(_ arguments: ParsedArguments, packs: [Pack], respawn: RespawnNote?) throws(UsageError) {
        let host = arguments["--host"] ?? "127.0.0.1"
        let port = try arguments.number("--port", in: 0...65_535) ?? Self.defaultPort
        guard let address = SocketAddress(host: host, port: UInt16(port)) else {
            throw UsageError("--host takes an IPv4 or IPv6 address, for nothing is ever resolved; '\(host)' is none")
        }
        guard !arguments.has("--own-token") || arguments["--token"] == nil else {
            throw UsageError("--token and --own-token are two tokens; say one of them")
        }
        let token = arguments.has("--own-token") ? Self.randomToken : arguments["--token"]
        guard token?.isEmpty != true else { throw UsageError("--token takes a text that is not empty") }
        tellsToken = arguments.has("--own-token")
        if !address.isLoopback {
            guard arguments.has("--allow-remote") else {
                throw UsageError(
                    "--host \(host) can be reached from other machines, and proctor misbehaves on purpose; "
                        + "say --allow-remote --token TEXT if that is meant")
            }
            guard token != nil else {
                throw UsageError(
                    "--allow-remote wants --token TEXT (or --own-token), or anybody could drive the control API")
            }
        }
        watches = arguments.has("--watch")
        grace = .seconds(try arguments.number("--grace", in: 0...3_600) ?? Self.defaultGrace)
        log = arguments["--log"].flatMap(RequestLogForm.init(rawValue:))
        let allowedOrigins = try Self.origins(arguments["--allow-origin"])
        let tlsPort = try arguments.number("--tls-port", in: 0...65_535)
        guard tlsPort == nil || tlsPort == 0 || tlsPort != port else {
            throw UsageError("--port and --tls-port are both \(port); they are two ports")
        }
        guard tlsPort != nil || !arguments.has("--tls-closes-http") else {
            throw UsageError("--tls-closes-http is about the port of --tls-port, and there is none")
        }
        var configuration = ServerConfiguration.ofProgram
        configuration.closesPlainHTTP = arguments.has("--tls-closes-http")
        configuration.address = address
        configuration.speaksHTTP2 = arguments.has("--http2")
        if configuration.speaksHTTP2, let missing = ApplicationProtocol.http2.missing {
            throw UsageError("--http2: \(missing)")
        }
        configuration.speaksHTTP3 = arguments.has("--http3")
        guard tlsPort != nil || !configuration.speaksHTTP3 else {
            throw UsageError("--http3 is spoken at the UDP port with the number of --tls-port, and there is none")
        }
        guard configuration.http3 != nil || !configuration.speaksHTTP3 else {
            throw UsageError("--http3: \(SecurityRefusal.withoutQUIC)")
        }
        configuration.tlsAddress = tlsPort.map { address.with(port: UInt16($0)) }
        // A port that the system chose for port 0 stays the same.
        if let former = respawn?.ports {
            if port == 0 { configuration.address = address.with(port: former.plain) }
            if tlsPort == 0 { configuration.tlsAddress = address.with(port: former.secured) }
        }
        configuration.unixPath = arguments["--unix"]
        configuration.threadCount = try arguments.number("--threads", in: 1...64) ?? 1
        configuration.token = token
        configuration.seed = try arguments.seed
        configuration.allowedOrigins = allowedOrigins
        configuration.packFolder = try ShippedFiles.folder("packs")
        if let name = arguments["--pages-host"] { configuration.pagesHost = try Self.pagesHost(name) }
        configuration.rootScenarios =
            (arguments.all("--inline").isEmpty ? [] : [InlineExchanges.id]) + arguments.all("--root")
            + packs.map(\.path.prefix)
        configuration.packs = packs.map(\.path.prefix)
        if let byteCount = try arguments.bodyByteCount { configuration.limits.keptBodyByteCount = byteCount }
        configuration.faults = arguments.has("--strict") ? ClientFaults() : nil
        try configuration.addModules(arguments)
        self.configuration = configuration
        journalPath = arguments["--journal"]
        let limit = try arguments.number("--journal-limit", in: 1...1_048_576)
        guard limit == nil || journalPath != nil else {
            throw UsageError("--journal-limit bounds the file of --journal, and there is none")
        }
        journalLimit = limit.map { $0 << 20 } ?? JournalFile.usualByteLimit
        readyFile = arguments["--ready-file"]
        self.respawn = respawn
    }

    private static func pagesHost(_ name: String) throws(UsageError) -> String {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        }
        guard isName, name.utf8.count <= 253, SocketAddress(host: name.lowercased(), port: 0) == nil else {
            throw UsageError(
                "--pages-host takes a name like \(PagesHost.usual), at which no scenario answers; '\(name)' is none")
        }
        return name
    }

    /// Scheme, host and port, as a browser writes them into Origin (RFC 6454 §6.2).
    private static func origins(_ text: String?) throws(UsageError) -> Set<String> {
        guard let text else { return [] }
        var origins: Set<String> = []
        for origin in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let scheme = ["http://", "https://"].first { origin.hasPrefix($0) }
            guard let rest = scheme.map({ origin.dropFirst($0.count) }), !rest.isEmpty,
                !rest.contains(where: { "/?# @".contains($0) })
            else {
                throw UsageError(
                    "--allow-origin takes origins like http://localhost:3000, with a comma between; "
                        + "'\(origin)' is none")
            }
            origins.insert(origin)
        }
        return origins
    }
}
