internal import ProctorBase
internal import ProctorCrypto
internal import ProctorDocument
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

/// Drives a server from any language over HTTP: runs, their journals and verdicts.
///
/// Safe from any thread.
final class ControlAPI: Sendable {
    private let shelf: StandingStages
    private let runs: RunFactory
    private let gate: ControlGate
    private let desk: TLSContexts
    private let journalFile: JournalFile?
    let gradings = GradingTurns()
    /// Bytes of bodies that have come so far, of all calls together.
    let bodies = BodyBudget()
    private let start = MonotonicClock.nanoseconds

    /// Seconds a run is kept without any activity, when its maker says nothing.
    static let defaultLife = 600
    /// Seconds, at most a day.
    static let lifeRange = 1...86_400
    /// Milliseconds that a journal call may wait for news.
    static let waitRange = 0...30_000
    /// Of slices; every reader of JSON can hold it.
    static let largestSeed: UInt64 = 1 << 53 - 1
    /// Scenarios of one call.
    static let scenarioLimit = 100

    private var catalogue: Catalogue { shelf.catalogue }

    init(shelf: StandingStages, runs: RunFactory, gate: ControlGate, desk: TLSContexts, journalFile: JournalFile?) {
        self.desk = desk
        self.journalFile = journalFile
        self.shelf = shelf
        self.runs = runs
        self.gate = gate
    }

    /// Whether calls must show a token.
    var wantsToken: Bool { gate.token != nil }

    /// Answers one call that came to `place`; `loop` is the caller's, for waits.
    func answer(
        _ head: RequestHead, body: [UInt8], _ scheme: Scheme, at place: SocketAddress, on loop: EventLoop
    ) async -> BuiltInReply {
        var visitor: ControlGate.Visitor?
        do throws(ControlError) {
            let path = String(decoding: head.path ?? [], as: UTF8.self)
            // Open to everybody: what is there is public, and who needs it has no token.
            if let call = try TrustCall(method: head.method, path: path) { return try await call.reply(body, desk) }
            visitor = try gate.visitor(head, at: place)
            if let visitor, let reply = visitor.preflight(head) { return reply }
            try gate.checkToken(head)
            let call = try ControlCall(method: head.method, path: path)
            let host = head.fields.first(named: "Host").map { Array($0) } ?? []
            let authority = StageAddresses.isAuthority(host) ? String(decoding: host, as: UTF8.self) : "localhost"
            var request = ControlRequest(
                query: head.query, body: body, base: "\(scheme.rawValue)://\(authority)")
            request.wantsPage = head.wantsHTML
            let reply = try await answer(call, request, on: loop)
            return visitor?.shown(reply) ?? reply
        } catch {
            return visitor?.shown(error.reply) ?? error.reply
        }
    }

    private func answer(
        _ call: ControlCall, _ request: ControlRequest, on loop: EventLoop
    ) async throws(ControlError) -> BuiltInReply {
        switch call {
        case .health: health()
        case .listScenarios: listScenarios(request)
        case .scenario(let id): try describe(id)
        case .createRuns: try await createRuns(request)
        case .listRuns: listRuns(request)
        case .run(let id): BuiltInReply(status: 200, json: ControlJSON.run(try find(id, request)))
        case .deleteRun(let id): try await delete(id, request)
        case .resetRun(let id): try reset(id, request)
        case .standing(let id): BuiltInReply(status: 200, json: ControlJSON.run(try await standing(id, request)))
        case .resetStanding(let id): try await resetStanding(id, request)
        case .journal(let id): try await journal(of: id, request, on: loop)
        case .verdict(let id): try verdict(of: id, request)
        case .assignment(let id): try assignment(of: id, request)
        case .grade(let id): try await grade(id, request)
        case .reached(let id): try reached(id, request)
        case .environment(let id): try environment(of: id, request)
        case .proxyConfiguration(let id): try proxyConfiguration(of: id, request)
        }
    }

    // MARK: Server and scenarios

    private func health() -> BuiltInReply {
        let journal = journalFile.map { ($0.path, $0.condition) }
        var json = JSONText()
        json.open("{")
        json.member("status", journal?.1.failure == nil ? "ok" : "degraded")
        json.member("scenarios", catalogue.scenarios.count)
        json.member("runs", runs.count)
        json.member("uptimeSeconds", (MonotonicClock.nanoseconds &- start) / 1_000_000_000)
        if let (path, condition) = journal {
            json.key("journalFile")
            json.open("{")
            json.member("path", path)
            json.member("lostLines", condition.lostLineCount)
            if let failure = condition.failure { json.member("failure", failure) }
            json.close("}")
        }
        json.close("}")
        return BuiltInReply(status: 200, json: json)
    }

    private func listScenarios(_ request: ControlRequest) -> BuiltInReply {
        let prefix = request.query["family"].map { "\($0)/" } ?? ""
        var json = JSONText()
        json.open("{")
        json.list("scenarios", catalogue.scenarios.filter { $0.id.hasPrefix(prefix) }) { json, scenario in
            json.scenario(scenario)
        }
        json.close("}")
        return BuiltInReply(status: 200, json: json)
    }

    private func describe(_ id: String) throws(ControlError) -> BuiltInReply {
        guard let scenario = catalogue.scenario(id) else { throw unknownScenario(id) }
        var json = JSONText()
        json.scenario(scenario)
        return BuiltInReply(status: 200, json: json)
    }

    func unknownScenario(_ id: String) -> ControlError {
        let hint = catalogue.nearestID(to: id).map { "; did you mean '\($0)'?" } ?? ""
        return ControlError(404, "unknown-scenario", "there is no scenario '\(id)'\(hint)")
    }

    // MARK: Runs

    /// A run with ports of its own, or one that stands for a scenario of the shared port.
    func find(_ id: String, _ request: ControlRequest) throws(ControlError) -> Run {
        guard let run = runs.find(id) ?? shelf.stage(ofRun: id).map({ runs.mounted($0, at: request.base) }) else {
            throw .unknownRun(id)
        }
        return run
    }

    private func createRuns(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let members = try request.members(allowed: ["scenario", "scenarios", "lifeSeconds", "reslice"])
        let wish = Wish(
            life: try lifeSeconds(members["lifeSeconds"]), reslice: try reslice(members["reslice"]))
        switch (members["scenario"], members["scenarios"]) {
        case (let node?, nil):
            guard let id = node.text else { throw .badRequest("'scenario' is a text, found \(node.found)") }
            let run = try await make(id, wish)
            var json = JSONText()
            json.run(run)
            return created(json)
        case (nil, let node?):
            let made = try await makeAll(try identifiers(node), wish)
            var json = JSONText()
            json.open("{")
            json.list("runs", made) { json, run in json.run(run) }
            json.close("}")
            return created(json)
        default:
            throw .badRequest("one of 'scenario' (an id) and 'scenarios' (a list of ids) is expected")
        }
    }

    private func created(_ json: JSONText) -> BuiltInReply { BuiltInReply(status: 201, json: json) }

    private func lifeSeconds(_ node: Node?) throws(ControlError) -> Int {
        guard let node else { return Self.defaultLife }
        guard let text = node.plainText, let seconds = Int(text), Self.lifeRange.contains(seconds) else {
            throw .badRequest(
                "'lifeSeconds' is a whole number from \(Self.lifeRange.lowerBound) to \(Self.lifeRange.upperBound), "
                    + "found \(node.found)")
        }
        return seconds
    }

    /// What is said about the runs of one call.
    private struct Wish {
        let life: Int
        let reslice: UInt64?
    }

    private func reslice(_ node: Node?) throws(ControlError) -> UInt64? {
        guard let node else { return nil }
        guard let text = node.plainText, let seed = UInt64(text), seed <= Self.largestSeed else {
            throw .badRequest("'reslice' is a whole number from 0 to \(Self.largestSeed), found \(node.found)")
        }
        return seed
    }

    private func identifiers(_ node: Node) throws(ControlError) -> [String] {
        guard let items = node.items, !items.isEmpty, items.count <= Self.scenarioLimit else {
            let found = node.items.map { "\($0.count)" } ?? node.found
            throw .badRequest("'scenarios' is a list of 1 to \(Self.scenarioLimit) ids, found \(found)")
        }
        var identifiers: [String] = []
        for item in items {
            guard let id = item.text else { throw .badRequest("an id is a text, found \(item.found)") }
            identifiers.append(id)
        }
        return identifiers
    }

    /// All of them or none.
    private func makeAll(_ identifiers: [String], _ wish: Wish) async throws(ControlError) -> [Run] {
        var made: [Run] = []
        do throws(ControlError) {
            for id in identifiers { made.append(try await make(id, wish)) }
        } catch {
            for run in made { await run.stop() }
            throw error
        }
        return made
    }

    private func make(_ id: String, _ wish: Wish) async throws(ControlError) -> Run {
        guard let position = catalogue.position(of: id) else { throw unknownScenario(id) }
        do {
            return try await runs.make(
                catalogue.compiled(at: position), startsOver: false, lifeSeconds: wish.life, reslice: wish.reslice)
        } catch ServerStartFailure.tooManyRuns(let limit) {
            throw ControlError(
                503, "too-many-runs",
                "\(limit) runs are open, which is the limit; delete some, or let them be forgotten")
        } catch let refusal as SecurityRefusal {
            throw ControlError(refusal, "the scenario can't be served: ")
        } catch let refusal as HostRefusal {
            throw ControlError(503, "not-offered", "the scenario can't be served: \(refusal)")
        } catch let refusal as HashRefusal {
            throw ControlError(503, "no-hash", "the scenario can't be served: \(refusal)")
        } catch {
            throw ControlError(503, "no-port", "the run can't get its ports: \(error)")
        }
    }

    private func listRuns(_ request: ControlRequest) -> BuiltInReply {
        let mounted = shelf.stages.map { runs.mounted($0, at: request.base) }
        var json = JSONText()
        json.open("{")
        json.list("runs", (runs.all + mounted).sorted { $0.number < $1.number }) { json, run in json.run(run) }
        json.close("}")
        return BuiltInReply(status: 200, json: json)
    }

    private func delete(_ id: String, _ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        guard run.stage.addresses.mountPath == nil else { throw .standing(run) }
        await run.stop()
        return BuiltInReply(status: 200, json: ControlJSON.done("deleted", id))
    }

    private func reset(_ id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        try find(id, request).reset()
        return BuiltInReply(status: 200, json: ControlJSON.done("reset", id))
    }

    // MARK: Runs that stand for scenarios

    /// Made, or its ports opened, when it is first asked for.
    private func standing(_ id: String, _ request: ControlRequest) async throws(ControlError) -> Run {
        switch shelf.find(Array("/\(id)/".utf8)) {
        case .mounted(let stage, _) where stage.scenario.id == id: return runs.mounted(stage, at: request.base)
        case .elsewhere(let scenario) where scenario.id == id:
            switch await runs.standing(scenario, in: catalogue) {
            case .success(let run): return run
            case .failure(let failure): throw ControlError(503, "not-offered", failure.text)
            }
        case .refused(let scenario, let refusal) where scenario.id == id:
            throw ControlError(503, "no-hash", "the scenario can't be served: \(refusal)")
        case .mounted, .scenario, .elsewhere, .refused, .nothing: throw unknownScenario(id)
        }
    }

    /// A browser is sent back to the page that it came from.
    private func resetStanding(_ id: String, _ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try await standing(id, request)
        run.reset()
        guard request.wantsPage else { return BuiltInReply(status: 200, json: ControlJSON.done("reset", run.id)) }
        var reply = BuiltInReply(status: 303, body: "\(id) begins again\n")
        reply.fields.append(("Location", "/\(id)"))
        return reply
    }

    // MARK: What a run saw

    private func journal(
        of id: String, _ request: ControlRequest, on loop: EventLoop
    ) async throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let after = UInt64(try request.number("after", in: 0...Int.max, default: 0))
        let wait = try request.number("wait", in: Self.waitRange, default: 0)
        if wait > 0 { await run.journal.waitForEntry(after: after, on: loop, within: .milliseconds(wait)) }
        return BuiltInReply(
            status: 200, contentType: "application/x-ndjson", bytes: run.journal.lines(after: after))
    }
}
