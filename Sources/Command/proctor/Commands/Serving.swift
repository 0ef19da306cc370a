internal import ProctorBase
internal import ProctorDocument
import ProctorFixtures
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One run of `proctor serve`: start, announce, wait for signals, stop.
struct Serving: Sendable {
    let options: ServeOptions
    let authority: AuthorityOptions
    let fixtures: ServedFixtures
    let output: Output

    /// `check` is for a catalogue whose files are read later; nil: all files were read.
    func run(_ catalogue: Catalogue, _ check: LateCheck?) async throws -> ExitCode {
        // The file of a killed server would announce this one too early.
        if let path = options.readyFile { unsafe _ = unlink(path) }
        DescriptorLimit.raise()
        var configuration = try configuration()
        let log = options.log ?? (output.isErrorTerminal() ? .text : .none)
        configuration.requestLines = log == .none ? nil : RequestLines()
        return try await run(catalogue, check, configuration, log)
    }

    private func run(
        _ catalogue: Catalogue, _ check: LateCheck?, _ configuration: ServerConfiguration,
        _ log: RequestLogForm
    ) async throws -> ExitCode {
        let server: Server
        do {
            server = try await Server.start(catalogue, configuration: configuration)
        } catch let failure as ServerStartFailure {
            throw InputFailure(StartAdvice.text(for: failure, secured: options.configuration.tlsAddress))
        }
        // Started before the ready line, so that every later signal stops the server in order.
        let limit = StopLimit(server, grace: options.grace, readyFile: options.readyFile, output: output)
        let signals = try await SignalThread([SIGHUP], stops: SignalThread.endsOfServing) { limit.start() }
        do throws(CallFailure) {
            try options.respawn?.watchParent(output)
        } catch {
            output.message("--respawn: this server would not end with its parent: \(error.call): \(error.text)")
            await signals.stop()
            await server.stop(grace: .zero)
            return .failure
        }
        // Started before the ready line, so that every later edit is noticed.
        let watching = try await watch(server)
        guard await announce(server, catalogue.count) else {
            watching?.cancel()
            await watching?.value
            await server.stop(grace: .zero)
            await signals.stop()
            return .failure
        }
        // Started after the ready line, which must be the first line of standard output.
        let lines = configuration.requestLines
        let printing = lines.map { lines in Task { await log.print(lines, to: output) } }
        // Child tasks run on this task's executor.
        await withDiscardingTaskGroup { group in
            if let check { group.addTask { await check.run(catalogue) } }
            for await signal in signals.events where signal == SIGHUP { await reload(server) }
            output.message("stopping")
            group.cancelAll()
        }
        watching?.cancel()
        await watching?.value
        await signals.stop()
        let used = server.usedScenarios
        await server.stop(grace: options.grace)
        lines?.finish()
        await printing?.value
        limit.stop()
        if let path = options.readyFile { unsafe _ = unlink(path) }
        // With --watch, the user is editing files, and has read the errors.
        let isSound = options.watches || check?.isSound(server.catalogue) ?? true
        let journal = server.configuration.journalFile
        let isWhole = output.isWhole(journal, byteLimit: options.journalLimit) && isSound
        printUnused(server)
        guard let faults = server.configuration.faults else { return isWhole ? .success : .failure }
        let verdict = StrictVerdict(faults.tally, used.faults)
        output.report(verdict.text(in: output.style))
        return verdict.isFailure || !isWhole ? .failure : .success
    }

    /// Prints the exchanges that no request used, for scenarios that were used, and counts the used exchanges of packs.
    private func printUnused(_ server: Server) {
        let uses = server.configuration.uses
        for (pack, count) in uses.packUses {
            output.message("of the pack \(pack) \(Plural.count(count, "exchange")) \(count == 1 ? "was" : "were") used")
        }
        let lines = uses.unusedLines
        guard !lines.isEmpty else { return }
        output.message("\(Plural.count(lines.count, "exchange")) of the scenarios that were used never came:")
        for line in lines.prefix(Self.unusedLineLimit) { output.message("  \(line)") }
        if lines.count > Self.unusedLineLimit { output.message("  and \(lines.count - Self.unusedLineLimit) more") }
    }

    private static let unusedLineLimit = 20

    /// The configuration with its journal.
    private func configuration() throws(InputFailure) -> ServerConfiguration {
        var configuration = options.configuration
        authority.apply(to: &configuration)
        configuration.report = { [output] in output.message($0) }
        guard let path = options.journalPath else { return configuration }
        // A limit of file sizes (ulimit -f) then makes a write fail instead of ending the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        configuration.journalFile = try output.openJournal(path, byteLimit: options.journalLimit)
        output.message("the journal \(path) takes up to \(options.journalLimit >> 20) MiB (--journal-limit)")
        return configuration
    }

    // MARK: Changes

    /// Starts to watch files; returns when every later change is noticed.
    private func watch(_ server: Server) async throws -> Task<Void, Never>? {
        guard options.watches else { return nil }
        let loop = try EventLoop(name: "proctor-watch")
        let (standing, begin) = AsyncStream<Never>.makeStream()
        let task = Task {
            do {
                try await FixtureWatch(paths: fixtures.paths.map(\.path), loop: loop).run(
                    onStanding: { begin.finish() }, { await reload(server) })
            } catch {
                output.message("--watch has ended: \(error); send SIGHUP to load again")
            }
            begin.finish()
            loop.stop()
        }
        for await _ in standing {}
        return task
    }

    /// Serves the new fixtures; a scenario whose file has errors stays as it was, and all of them where the machine has
    /// nothing left to read them with.
    private func reload(_ server: Server) async {
        let loaded = FixtureReport.load(fixtures.find(), certificates: authority.folders, output) { _ in true }
        let failures = loaded.diagnostics.filter(\.isTransient)
        guard failures.isEmpty else {
            server.keepCatalogue(after: LoadFailure(diagnostics: failures))
            return output.message("could not load again; serving what was loaded before (send SIGHUP to try again)")
        }
        let partial = PartialLoad(loaded, former: server.catalogue.readScenarios)
        await server.replaceCatalogue(Catalogue(partial.scenarios))
        let count = partial.scenarios.count - partial.keptCount
        output.message("loaded \(Plural.count(count, "scenario")) again\(partial.remark)")
    }

    // MARK: Ready

    /// Prints the ready line and writes the ready file; false when that fails.
    private func announce(_ server: Server, _ count: Int) async -> Bool {
        // With a TLS port, the authority was opened at the start.
        let authority = server.tlsAddress == nil ? nil : try? await server.trust()
        let line = ReadyLine(
            server: server, unixPath: options.configuration.unixPath, authority: authority, scenarioCount: count,
            token: options.tellsToken ? options.configuration.token : nil
        ).text
        do throws(CallFailure) {
            try options.respawn?.write(server)
        } catch {
            output.message("--respawn: the next server would not know the ports: \(error.text)")
            return false
        }
        if let path = options.readyFile {
            do throws(CallFailure) {
                // The line may have the token.
                try AtomicFile.replace(path, with: line + "\n", mode: options.tellsToken ? 0o600 : 0o644)
            } catch {
                output.message("--ready-file \(path) can't be written: \(error.obstacle(to: path))")
                return false
            }
        }
        let places = [server.base, server.tlsBase].compactMap(\.self).map { "\($0)/" }.joined(separator: " and ")
        let pages = server.pagesBase.map { ", pages at \($0)/" } ?? ""
        let words = "\(Plural.count(count, "scenario")) at \(places)\(pages)  (stop with ^C)"
        // Who looks at a terminal reads the words first; a program waits for the line.
        let isForPerson = output.isTerminal() && output.isErrorTerminal()
        if isForPerson { output.message(words) }
        output.line(line)
        guard StandardOutput.complaint == nil else { return false }
        if !isForPerson { output.message(words) }
        return true
    }
}

struct ReadyLine {
    let server: Server
    let unixPath: String?
    /// The path of the certificate that clients of the TLS port must trust.
    let authority: String?
    let scenarioCount: Int
    /// The token that this server has made; nil where there is none.
    let token: String?

    var text: String {
        var json = JSONText()
        json.open("{")
        json.member("proctor", "ready")
        json.member("version", CommandLine.version)
        json.member("base", server.base)
        json.member("port", server.address.port ?? 0)
        if let pages = server.pagesBase { json.member("pages", pages) }
        if let tlsBase = server.tlsBase { json.member("tls", tlsBase) }
        if let authority { json.member("ca", authority) }
        if let unixPath { json.member("unix", unixPath) }
        if let token { json.member("token", token) }
        json.member("scenarios", scenarioCount)
        json.member("pid", getpid())
        json.close("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

struct StrictVerdict {
    private let tally: ClientFaults.Tally
    /// A line for each scenario or exchange whose use was not as expected.
    private let misuses: [String]

    init(_ tally: ClientFaults.Tally, _ misuses: [String]) {
        (self.tally, self.misuses) = (tally, misuses)
    }

    /// Whether the result is a failure; without any request nothing was judged, which is one.
    var isFailure: Bool { tally.faultCount > 0 || tally.requestCount == 0 || !misuses.isEmpty }

    private static let misuseLimit = 50

    func text(in style: Style) -> String {
        let came = Plural.count(tally.requestCount, "request") + " to scenarios"
        guard isFailure else { return "proctor: strict: \(style.good("pass")): \(came), all expected, no departure\n" }
        var parts: [String] = []
        if tally.missedCount > 0 { parts.append("\(Plural.count(tally.missedCount, "request")) missed") }
        if tally.violationCount > 0 {
            parts.append("\(Plural.count(tally.violationCount, "departure")) from the RFCs")
        }
        if tally.misdescribedCount > 0 {
            parts.append("\(Plural.count(tally.misdescribedCount, "request")) not as described")
        }
        if tally.misansweredCount > 0 {
            parts.append("\(Plural.count(tally.misansweredCount, "webhook")) not answered as wanted")
        }
        if tally.boundCount > 0 { parts.append("\(Plural.count(tally.boundCount, "bound")) of a run reached") }
        if !misuses.isEmpty { parts.append("\(Plural.count(misuses.count, "expectation")) not met") }
        if tally.requestCount == 0 { parts.append("no scenario was asked for anything") }
        var lines = ["proctor: strict: \(style.bad("fail")): \(parts.joined(separator: ", ")) (\(came))"]
        lines += (tally.examples + misuses.prefix(Self.misuseLimit)).map { "  \($0)" }
        let rest = tally.faultCount - tally.examples.count + max(0, misuses.count - Self.misuseLimit)
        if rest > 0 { lines.append("  and \(rest) more") }
        return lines.joined(separator: "\n") + "\n"
    }
}
