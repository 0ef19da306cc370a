internal import Foundation
internal import ProctorAssignments
internal import ProctorBase
internal import ProctorEvents
internal import ProctorHarness
internal import ProctorProgram
internal import ProctorRecorder

/// A run on a server elsewhere, used through its control API.
final class RemoteRun: ServedRun {
    let run: ControlRun
    let trust: String?
    /// nil where the scenario has no case.
    private let judgedBy: String?
    private let client: ControlClient
    private let reports: ControlReports
    private let state = Locked((hasAnnounced: false, isStopped: false))

    /// How long the server waits for the ends of the client's connections before it judges, in milliseconds.
    private static let settleMilliseconds = 200

    private init(_ run: ControlRun, judgedBy: String?, trust: String?, client: ControlClient) {
        (self.run, self.judgedBy, self.trust, self.client) = (run, judgedBy, trust, client)
        reports = ControlReports(of: run.run, to: client)
    }

    /// The parameters of the run that a test opens.
    struct Order: Sendable {
        enum Source: Sendable {
            case id(String)
            case yaml(String)
        }

        let source: Source
        let caseName: String?
        /// YAML; nil: none.
        let platform: String?
        /// YAML; nil: none.
        let ledger: String?
        let patience: Duration
    }

    /// Opens a run; deletes it at once when the test can't use it.
    static func open(_ order: Order, on client: ControlClient) async throws(ExamFailure) -> RemoteRun {
        let run: ControlRun
        do throws(ControlFailure) {
            run =
                switch order.source {
                case .id(let id): try await client.createRun(of: id, lifeSeconds: lifeSeconds(order.patience))
                case .yaml(let text): try await client.createRun(ofText: text, lifeSeconds: lifeSeconds(order.patience))
                }
        } catch {
            throw ExamFailure(error, of: client)
        }
        do throws(ExamFailure) {
            return try await prepare(run, order, client)
        } catch {
            try? await client.deleteRun(run.run)
            throw error
        }
    }

    /// The seconds after which the server deletes the run, should the test process have died.
    private static func lifeSeconds(_ patience: Duration) -> Int {
        min(max(2 * patience.wholeMilliseconds / 1_000 + 60, 120), 86_400)
    }

    private static func prepare(
        _ run: ControlRun, _ order: Order, _ client: ControlClient
    ) async throws(ExamFailure) -> RemoteRun {
        if let host = URL(string: run.base)?.host, ["0.0.0.0", "::", "[::]"].contains(host) {
            throw ExamFailure(
                "the server listens on all addresses, so that its runs have none to be reached at; start it with "
                    + "proctor serve --host ADDRESS, the address by which this machine reaches it")
        }
        let judgedBy = try caseName(order.caseName, of: run)
        do throws(ControlFailure) {
            if let ledger = order.ledger { try await client.setLedger(ledger, of: run.run) }
            if let platform = order.platform { try await client.setPlatform(platform, of: run.run) }
            let hasHTTPS = run.base.hasPrefix("https:") || run.origins.values.contains { $0.hasPrefix("https:") }
            let authority = hasHTTPS ? try await client.authority() : nil
            return RemoteRun(
                run, judgedBy: judgedBy,
                trust: try authority.map { text throws(ControlFailure) in
                    try write(text, of: run.run)
                }, client: client)
        } catch {
            throw ExamFailure(error, of: client)
        }
    }

    private static func caseName(_ name: String?, of run: ControlRun) throws(ExamFailure) -> String? {
        let names = run.cases ?? []
        // A case's name with `@download` is left out: the case itself is in the list too.
        let plain = names.filter { !$0.hasSuffix("@download") }
        guard let name else {
            guard plain.count > 1 else { return plain.first }
            throw ExamFailure(
                "\(run.scenario) can't be judged without a case: say case: with one of \(plain.joined(separator: ", "))"
            )
        }
        guard names.isEmpty || names.contains(name) else {
            let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
            throw ExamFailure(
                "\(run.scenario) has no case '\(name)'; \(hint ?? "it has \(names.joined(separator: ", "))")")
        }
        return name
    }

    /// Writes the authority's certificate into a file, for clients that read it from a file.
    private static func write(_ authority: String, of run: String) throws(ControlFailure) -> String {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("proctor-authority-\(UUID().uuidString).pem")
        do {
            try Data(authority.utf8).write(to: file, options: .atomic)
        } catch {
            throw .unreadable("\(file.path) can't be written: \(error.localizedDescription)")
        }
        return file.path
    }

    var scenarioID: String { run.scenario }
    var caseName: String { judgedBy ?? "requests" }
    var base: String { run.base }
    var awaitedEvents: [String]? { run.awaited }

    func origin(_ name: String) -> String? { run.origins[name] }

    func expectReports() {
        guard run.awaited != nil else { return }
        let isFirst = state.withLock { state in
            defer { state.hasAnnounced = true }
            return !state.hasAnnounced
        }
        if isFirst { reports.announce() }
    }

    func reached(_ event: TraceEvent) {
        expectReports()
        reports.report(event)
    }

    func assignment() async throws -> Assignment {
        guard let judgedBy else {
            throw ExamFailure("\(scenarioID) has no case, and so no program: drive a client of your own")
        }
        do throws(ControlFailure) {
            return try await client.assignment(of: judgedBy, in: run.run)
        } catch {
            throw ExamFailure(error, of: client)
        }
    }

    func judge(_ events: [TraceEvent], at end: ExamEnd) async throws(ExamFailure) -> any ExamVerdict {
        do throws(ControlFailure) {
            _ = await reports.finish()
            let isMonotonic = try await client.sharesClock()
            let report = try await client.report(
                Self.trace(events, isMonotonic: isMonotonic), of: judgedBy, in: run.run, hung: end.hungAfter,
                settle: end.isCut ? nil : Self.settleMilliseconds)
            return RemoteVerdict(
                report: report, journal: try await client.journal(of: run.run), isMonotonic: isMonotonic)
        } catch {
            throw ExamFailure("\(scenarioID)#\(caseName) was not judged: \(ExamFailure(error, of: client))")
        }
    }

    /// Has no header: a body may record callbacks of any API, so it is unknown which events the client can report.
    private static func trace(_ events: [TraceEvent], isMonotonic: Bool) -> [UInt8] {
        // The server refuses a trace without any line.
        guard !events.isEmpty else { return TraceWriter.line(TraceHeader(client: "test", isMonotonic: isMonotonic)) }
        return events.reduce(into: []) { lines, event in
            var event = event
            if !isMonotonic, case .monotonic(let nanoseconds) = event.time {
                event.time = .elsewhere(Double(nanoseconds) / 1e6)
            }
            lines += TraceWriter.line(event)
        }
    }

    func stop() async -> String? {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return nil }
        if let trust { try? FileManager.default.removeItem(atPath: trust) }
        do throws(ControlFailure) {
            try await client.deleteRun(run.run)
            return nil
        } catch .refused(status: 404, _, _) {
            return nil
        } catch {
            return "run \(run.run) of \(scenarioID) could not be deleted: \(error)"
        }
    }
}

private struct RemoteVerdict: ExamVerdict {
    let report: ControlReport
    let journal: [UInt8]
    let isMonotonic: Bool

    var isFailure: Bool { report.isFailure }
    var isPartial: Bool { report.isPartial }
    var summary: String { report.summary }
    var timeline: String { report.timeline }
    var wideTimeline: String { report.wideTimeline }
    var requestCount: Int { report.requestCount }
}

extension ExamFailure {
    /// A failure whose text says what to do about the failed call.
    fileprivate init(_ failure: ControlFailure, of client: ControlClient) {
        let server = client.base.absoluteString
        switch failure {
        case .unreachable(let reason):
            self.init("no server answers at \(server): \(reason); start one with proctor serve")
        case .refused(status: 401, _, _) where client.token == nil:
            self.init(
                "the server at \(server) wants its token: say on: .server(URL, token: TEXT), or set PROCTOR_TOKEN")
        case .refused(status: 401, _, _):
            self.init(
                "the server at \(server) has another token than the one that was sent; the one of serve --token is "
                    + "expected in .server(URL, token:) or PROCTOR_TOKEN")
        case .refused(_, _, let message):
            self.init("\(message) (said by the server at \(server))")
        case .unreadable(let reason):
            self.init("the server at \(server) can't be understood: \(reason)")
        }
    }
}
