internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One life of `proctor serve`: start, tell that it is ready, wait for a signal, drain.
struct Serving {
    let options: ServeOptions
    let paths: [String]
    let output: Output

    func run(_ scenarios: [Scenario]) async throws -> ExitCode {
        var configuration = ServerConfiguration()
        configuration.address = options.address
        configuration.unixPath = options.unixPath
        configuration.threadCount = options.threadCount
        configuration.report = { [output] in output.note($0) }
        if let path = options.journalPath {
            do {
                configuration.journalFile = try JournalFile(path: path, report: configuration.report)
            } catch {
                output.note("--journal \(path) can't be written: \(error.text)")
                return .failure
            }
        }
        let server: Server
        do {
            server = try await Server.start(Catalogue(scenarios), configuration: configuration)
        } catch let failure as ServerStartFailure {
            output.note(StartAdvice.text(for: failure))
            return .failure
        }
        // Caught before anybody is told, so that a signal after the ready line always drains.
        let signals = try await server.signals([SIGINT, SIGTERM])
        guard announce(server, scenarios.count) else {
            await server.stop(grace: .zero)
            return .failure
        }
        _ = await signals.next()
        output.note("stopping")
        await signals.close()
        await server.stop()
        if let path = options.readyFile { unsafe _ = unlink(path) }
        return .success
    }

    /// Prints the ready line and writes the ready file; false when that fails.
    private func announce(_ server: Server, _ count: Int) -> Bool {
        let line = ReadyLine(server: server, unixPath: options.unixPath, scenarioCount: count).text
        if let path = options.readyFile {
            do throws(CallFailure) {
                try WholeFile.replace(path, with: line + "\n")
            } catch {
                output.note("--ready-file \(path) can't be written: \(error.text)")
                return false
            }
        }
        output.line(line)
        output.note("\(FixtureReport.count(count, "scenario")) at \(server.base)/  (stop with ^C)")
        return true
    }
}

/// The line that programs wait for.
struct ReadyLine {
    let server: Server
    let unixPath: String?
    let scenarioCount: Int

    var text: String {
        var json = JSONText()
        json.open("{")
        json.member("proctor", "ready")
        json.member("version", CommandLine.version)
        json.member("base", server.base)
        json.member("port", server.address.port ?? 0)
        if let unixPath { json.member("unix", unixPath) }
        json.member("scenarios", scenarioCount)
        json.member("pid", getpid())
        json.close("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
