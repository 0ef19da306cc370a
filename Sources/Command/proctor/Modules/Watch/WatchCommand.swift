internal import ProctorBase
internal import ProctorDocument
internal import ProctorLoop
import ProctorProgram

let watchCommand = Command(name: "watch") { arguments, context in
    guard let name = arguments.operands.first, arguments.operands.count == 1 else {
        throw UsageError("'watch' takes one RUN, one ID or 'shared'; 'proctor journal' lists the runs of a server")
    }
    let client = try ControlConnection(arguments, environment: context.environment)
    let isTerminal = context.output.isTerminal()
    let place = name == "shared" ? name : "runs/\(try await Watch.run(named: name, of: client))"
    let screen = WatchScreen(
        output: context.output, style: Style.choose(arguments["--color"], isTerminal: isTerminal, context.environment),
        width: isTerminal ? TerminalWidth.ofStandardOutput : nil)
    let watch = Watch(
        client: client, place: place, screen: screen, isOnce: arguments.has("--once"), isJSON: arguments.has("--json"))
    return try await watch.run()
}

/// Reads a stream of events to its end, over as many connections as necessary.
struct Watch: Sendable {
    let client: ControlConnection
    /// The path of the stream: `runs/r1` or `shared`.
    let place: String
    let screen: WatchScreen
    let isOnce: Bool
    let isJSON: Bool

    /// The most consecutive connections that may fail.
    static let tryLimit = 10
    /// Nanoseconds without a byte after which a connection counts as broken; the server sends a comment every 10 s.
    private static let patience: UInt64 = 30_000_000_000
    /// Nanoseconds within which verdicts follow the entries that they are about.
    private static let verdictPatience: UInt64 = 500_000_000

    func run() async throws -> ExitCode {
        let loop = try EventLoop(name: "proctor-watch")
        defer { loop.stop() }
        return try await loop.run { await follow(on: loop) }
    }

    /// The id of the run, or of a scenario's standing run.
    static func run(named name: String, of client: ControlConnection) async throws -> String {
        if StandingRun.isRun(name) { return name }
        let reply = try await client.send(.standingRun(ofPath: StandingRun.path(of: name)))
        guard reply.status == 200, let run = reply.member("run")?.text else { throw InputFailure(advice(for: reply)) }
        return run
    }

    /// The server's error, followed by what to do.
    static func advice(for reply: ControlConnection.Reply) -> String {
        let text = PrintableText.sanitize(reply.refusal)
        return switch reply.status {
        case 401: "\(text); give it by --token TEXT or the variable PROCTOR_TOKEN"
        case 404 where reply.member("error")?.entries?.contains { $0.value.text == "unknown-run" } == true:
            "\(text); 'proctor journal' lists the runs of a server"
        default: text
        }
    }

    private func follow(on loop: EventLoop) async -> ExitCode {
        var view = WatchView(screen: screen, isOnce: isOnce, isJSON: isJSON)
        var failureCount = 0
        while true {
            let end = await client.stream(
                of: place, after: view.sequence, on: loop,
                patience: { view.isWhole ? Self.verdictPatience : Self.patience },
                { event in
                    failureCount = 0
                    return view.handle(event) && !StandardOutput.isClosed
                })
            let reason: String
            switch end {
            case .stopped where view.hasEnded || StandardOutput.isClosed: return .success
            case .stopped: continue
            case .idle where view.isWhole:
                view.finish()
                return .success
            case .idle: reason = "nothing came for 30 s"
            case .broken(let why): reason = why
            case .refused(let reply):
                screen.output.message((view.hasBegun ? "the run is gone: " : "") + Self.advice(for: reply))
                return .failure
            case .unreachable(let failure):
                guard view.hasBegun else {
                    screen.output.message("\(failure)")
                    return .failure
                }
                reason = "\(failure)"
            }
            failureCount += 1
            guard failureCount <= Self.tryLimit else {
                screen.output.message("given up after \(Self.tryLimit) tries: \(PrintableText.sanitize(reason))")
                return .failure
            }
            if failureCount == 1 {
                let tries = "trying up to \(Self.tryLimit) times, once a second"
                screen.output.message("the connection broke (\(PrintableText.sanitize(reason))); \(tries)")
            }
            await loop.sleep(for: .milliseconds(1_000))
        }
    }
}
