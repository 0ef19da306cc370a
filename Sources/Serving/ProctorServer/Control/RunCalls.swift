internal import ProctorBase
internal import ProctorCrypto
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorJournal
package import ProctorReplies
package import ProctorScenario
internal import ProctorServing

// Calls about the server, its scenarios and its runs.
extension ControlAPI {
    /// Seconds without activity after which a run ends, by default.
    static let defaultLife = 600
    static let lifeRange = 1...86_400
    private static let scenarioLimit = 100
    /// Milliseconds that a journal call may wait for a new entry.
    private static let waitRange = 0...30_000

    // MARK: Server and scenarios

    /// What no request of any run has asked for so far, of the scenarios that were used.
    func unused(_: ControlRequest) -> BuiltInReply {
        let lines = uses.unusedLines
        return .object { $0.texts("unused", lines) }
    }

    func health(_: ControlRequest) -> BuiltInReply {
        let journal = journalFile.map { (path: $0.path, condition: $0.condition) }
        return .object { json in
            let broken = catalogue.broken
            let (postponed, reload) = (catalogue.postponed, stages.failedReload)
            let isWhole = journal?.condition.failure == nil && broken.isEmpty && postponed == nil && reload == nil
            json.member("status", isWhole ? "ok" : "degraded")
            json.member("scenarios", catalogue.ids.count)
            json.object("files") { json in
                let unreadCount = catalogue.entries.unreadCount
                json.member("read", catalogue.ids.count - unreadCount)
                json.member("unread", unreadCount)
                if let postponed { json.member("unreadable", "\(postponed)") }
                if let reload { json.member("reload", "\(reload)") }
                json.objects("broken", of: broken) { json, item in
                    json.member("id", item.id)
                    json.texts("errors", item.failure.diagnostics.map(\.description))
                }
            }
            json.member("runs", runs.count)
            let dropped = numbers.usage.droppedDatagrams
            if !dropped.isEmpty {
                json.objects("droppedDatagrams", of: dropped) { json, item in
                    json.member("reason", item.reason)
                    json.member("count", item.count)
                }
            }
            let now = MonotonicClock.nanoseconds
            json.member("uptimeSeconds", (now &- start) / 1_000_000_000)
            json.object("clock") { json in
                if let identity = MonotonicClock.identity { json.member("id", identity) }
                json.member("ns", now)
            }
            guard let (path, condition) = journal else { return }
            json.object("journalFile") { json in
                json.member("path", path)
                json.member("lostLines", condition.lostLineCount)
                json.member("leftOutLines", condition.leftOutLineCount)
                if let failure = condition.failure { json.member("failure", failure) }
            }
        }
    }

    /// The scenarios of the catalogue whose id begins with `prefix`; all of them, or a refusal.
    package func scenarios(below prefix: String) async throws(ControlError) -> [Scenario] {
        do throws(LoadFailure) {
            return try await catalogue.read(below: prefix)
        } catch {
            throw ControlError(
                503, "unreadable-now", message: "not all scenarios can be read now; ask again: \(error)")
        }
    }

    /// Lists the scenarios of a family, or those that have the words of `q` in the order of a search, or all of them.
    func listScenarios(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        if request.query["q"] != nil {
            let search = await searchOfScenarios()
            let question = ScenarioSearch.Question(request.query)
            let scenarios = try await self.search(for: request) { _ in search.find(question) }
            return .object {
                $0.objects("scenarios", of: scenarios) { json, scenario in json.scenarioMembers(of: scenario) }
            }
        }
        let prefix = request.query["family"].map { "\($0)/" } ?? ""
        let added = addedScenarios.filter { $0.id.hasPrefix(prefix) }
        let scenarios = try await scenarios(below: prefix) + added
        return .object {
            $0.objects("scenarios", of: scenarios) { json, scenario in json.scenarioMembers(of: scenario) }
        }
    }

    /// One scenario; with `text=yes` the text of its file too, where that can be read and is not too long.
    func describe(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let catalogue = catalogue
        let wantsText = try request.switch("text")
        guard let position = catalogue.position(of: request.id) else {
            guard let added = stages.added.find(request.id) else { throw unknownScenario(request.id) }
            return .object { $0.scenarioMembers(of: added.entry.scenario) }
        }
        do throws(LoadFailure) {
            let scenario = try await catalogue.read(position)
            let text =
                wantsText ? await WorkThreads.streaming.run(within: .ofInput) { _ in scenario.fileText } : nil
            return .object { json in
                json.scenarioMembers(of: scenario)
                if let text { json.member("text", text) }
            }
        } catch {
            throw ControlError(request.id, error)
        }
    }

    /// The scenarios that calls have added to the shared port.
    package var addedScenarios: [Scenario] { stages.added.entries().map(\.scenario) }

    /// nil: there is no scenario of that id at the shared port.
    package func compiled(_ id: String) async throws -> CompiledScenario? { try await stages.compiled(id) }

    /// The run with ports of its own; nil: there is none.
    package func livingRun(_ id: String) -> Run? { runs.find(id) }

    private func unknownScenario(_ id: String) -> ControlError {
        let hint = catalogue.nearestID(to: id).map { "; did you mean '\($0)'?" } ?? ""
        return ControlError(404, "unknown-scenario", message: "there is no scenario '\(id)'\(hint)")
    }

    // MARK: Runs

    /// The run that the path names: one with ports of its own, or the standing run of a scenario of the shared port.
    package func find(_ request: ControlRequest) throws(ControlError) -> Run {
        let id = request.id
        guard let run = runs.find(id) ?? stages.stage(ofRun: id).map({ runs.mounted($0, at: request.base) }) else {
            throw ControlError(
                404, "unknown-run",
                message: "there is no run '\(id)'; it may have been deleted, or forgotten for too long")
        }
        return run
    }

    func run(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        return .object { $0.details(of: run) }
    }

    /// The runs with ports of their own, and those that stand for scenarios of the shared port at `base`.
    package func allRuns(at base: String) -> [Run] { runs.all + stages.stages.map { runs.mounted($0, at: base) } }

    /// Runs that were made so far, standing ones too, and those with ports of their own that live now.
    package var runCounts: (made: Int, living: Int) { (runs.madeCount, runs.count) }

    func listRuns(_ request: ControlRequest) -> BuiltInReply {
        let all = allRuns(at: request.base).sorted { $0.number < $1.number }
        return .object { $0.objects("runs", of: all) { json, run in json.runMembers(of: run) } }
    }

    func createRuns(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let members = try request.members(allowed: [
            "scenario", "scenarios", "lifeSeconds", "reslice", "seed", "protocol",
        ])
        let settings = RunSettings(
            lifeSeconds: try Self.number("lifeSeconds", of: members, in: Self.lifeRange) ?? Self.defaultLife,
            recutting: try Self.number("reslice", of: members, in: RunSeed.range).map { .often(seed: $0) },
            seed: try Self.number("seed", of: members, in: RunSeed.range).map { RunSeed($0) },
            wantedProtocol: try members["protocol"].map { node throws(ControlError) in
                try Self.protocol(node.text, found: node.found)
            } ?? .http11)
        switch (members["scenario"], members["scenarios"]) {
        case (let node?, nil):
            guard let id = node.text else { throw .badRequest("'scenario' is a text, found \(node.found)") }
            let run = try await make(id, settings)
            return .object(status: 201) { $0.details(of: run) }
        case (nil, let node?):
            let identifiers = try Self.identifiers(node)
            var made: [Run] = []
            do throws(ControlError) {
                for id in identifiers { made.append(try await make(id, settings)) }
            } catch {
                // All runs are made, or none.
                for run in made { await run.stop() }
                throw error
            }
            return .object(status: 201) { $0.objects("runs", of: made) { json, run in json.runMembers(of: run) } }
        default:
            throw .badRequest("one of 'scenario' (an id) and 'scenarios' (a list of ids) is expected")
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String, of members: [String: Node], in range: ClosedRange<Number>
    ) throws(ControlError) -> Number? {
        guard let node = members[name] else { return nil }
        guard let number = range.number(node) else {
            throw .badRequest("\(range.sentence(about: name)), found \(node.found)")
        }
        return number
    }

    /// `found` is the value as messages name it.
    package static func `protocol`(_ text: String?, found: String) throws(ControlError) -> RunProtocol {
        if let wanted = text.flatMap(RunProtocol.init) { return wanted }
        let names = RunProtocol.allCases.map(\.rawValue).sorted().joined(separator: ", ")
        throw .badRequest("'protocol' is one of \(names), found \(found)")
    }

    private static func identifiers(_ node: Node) throws(ControlError) -> [String] {
        guard let items = node.items, !items.isEmpty, items.count <= scenarioLimit else {
            let got = node.items.map { "\($0.count)" } ?? node.found
            throw .badRequest("'scenarios' is a list of 1 to \(scenarioLimit) ids, found \(got)")
        }
        return try items.map { item throws(ControlError) in
            guard let id = item.text else { throw .badRequest("an id is a text, found \(item.found)") }
            return id
        }
    }

    /// A run with the default settings, as a form starts it.
    package func startRun(of id: String) async throws(ControlError) -> Run {
        try await make(id, RunSettings(lifeSeconds: Self.defaultLife))
    }

    /// A run for a sitting of an exam, whose client is refused beyond the usual bounds.
    package func startSitting(
        speaking wanted: RunProtocol = .http11, of compiled: () async throws -> CompiledScenario
    ) async throws(ControlError) -> Run {
        try await make(
            RunSettings(lifeSeconds: Self.defaultLife, bounds: RunBounds(), wantedProtocol: wanted), of: compiled)
    }

    private func make(_ id: String, _ settings: RunSettings) async throws(ControlError) -> Run {
        let stages = stages
        return try await make(settings) { () throws in
            if let compiled = try await stages.compiled(id) { return compiled }
            guard let scenario = try await packs.scenario(id) else { throw unknownScenario(id) }
            return CompiledScenario(scenario)
        }
    }

    /// Makes a run; `compiled` gives its scenario, or throws why it can't be had.
    func make(
        _ settings: RunSettings, of compiled: () async throws -> CompiledScenario
    ) async throws(ControlError) -> Run {
        do {
            return try await runs.make(compiled(), settings)
        } catch let error as ControlError {
            throw error
        } catch let error as StandingStages.BrokenScenario {
            throw ControlError(error.id, error.failure)
        } catch ServerStartFailure.tooManyRuns(let limit) {
            throw ControlError(
                503, "too-many-runs",
                message: "\(limit) runs are open, which is the limit; delete some, or let them be forgotten")
        } catch let refusal as ProtocolRefusal {
            throw ControlError(409, "not-over-protocol", message: "the scenario can't be served so: \(refusal)")
        } catch let refusal as SecurityRefusal {
            throw ControlError(refusal, "the scenario can't be served: ")
        } catch let refusal as HostRefusal {
            throw ControlError(503, "not-offered", message: "the scenario can't be served: \(refusal)")
        } catch let refusal as HashRefusal {
            throw ControlError(503, "no-hash", message: "the scenario can't be served: \(refusal)")
        } catch {
            throw ControlError(503, "no-port", message: "the run can't get its ports: \(error)")
        }
    }

    package func delete(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        guard run.stage.addresses.mountPath == nil else {
            throw ControlError(
                409, "standing-run",
                message: "run '\(run.id)' stands for \(run.scenario.id) as long as the server; reset it to begin again")
        }
        await run.stop()
        return .object { $0.member("deleted", request.id) }
    }

    package func reset(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        try find(request).reset()
        return .object { $0.member("reset", request.id) }
    }

    /// The journal as JSON lines, at once or when it has an entry after the one that the caller named.
    func journal(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await lines(of: find(request).journal, request)
    }

    /// Connections and requests of the shared port that belong to no scenario.
    func sharedJournal(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await lines(of: sharedJournal, request)
    }

    func lines(of journal: Journal, _ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let after = UInt64(try request.number("after", in: 0...Int.max))
        let wait = try request.number("wait", in: Self.waitRange)
        if wait > 0 {
            await journal.waitForEntry(
                after: after, on: request.loop, within: .milliseconds(wait), whileStays: request.peer)
        }
        return BuiltInReply(status: 200, contentType: "application/x-ndjson", bytes: journal.lines(after: after))
    }

    // MARK: Runs that stand for scenarios

    func standing(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try await standingRun(request)
        return .object { $0.runMembers(of: run) }
    }

    /// Resets a standing run; a browser is redirected to the page that it came from.
    func resetStanding(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try await standingRun(request)
        run.reset()
        guard request.wantsPage else { return .object { $0.member("reset", run.id) } }
        var reply = BuiltInReply(status: 303, body: "\(request.id) begins again\n")
        reply.fields.append(("Location", "/\(request.id)"))
        return reply
    }

    /// The run of a call that can name the run itself, or a scenario at the shared port.
    func runOrStanding(_ request: ControlRequest) async throws(ControlError) -> Run {
        request.isOfStandingRun ? try await standingRun(request) : try find(request)
    }

    private func standingRun(_ request: ControlRequest) async throws(ControlError) -> Run {
        let id = request.id
        if let stage = stages.roots.first(where: { $0.scenario.id == id }) {
            return runs.mounted(stage, at: request.base)
        }
        let target = Array("/\(id)/".utf8)
        if case .unread(let catalogue, let position) = stages.find(target.span) {
            do throws(LoadFailure) {
                _ = try await catalogue.read(position)
            } catch  where error.isTransient {
                throw ControlError(id, error)
            } catch {
                // The search below tells the errors.
            }
        }
        switch stages.find(target.span) {
        case .mounted(let stage, _) where stage.scenario.id == id, .added(let stage, _) where stage.scenario.id == id:
            return runs.mounted(stage, at: request.base)
        case .elsewhere(let scenario) where scenario.id == id:
            switch await stages.standing(scenario, by: runs) {
            case .success(let run): return run
            case .failure(let failure): throw ControlError(503, "not-offered", message: failure.text)
            }
        case .refused(let scenario, let refusal) where scenario.id == id:
            throw ControlError(503, "no-hash", message: "the scenario can't be served: \(refusal)")
        case .broken(id, let failure): throw ControlError(id, failure)
        case .unread: throw .busy("the scenario was replaced while it was read")
        case .mounted, .added, .scenario, .elsewhere, .refused, .broken, .nothing: throw unknownScenario(id)
        }
    }
}

extension Scenario {
    /// The text of its file; nil where that can't be read or is longer than 256 KiB; blocks while it is read.
    package var fileText: String? {
        OpenFile.content(of: location.file, upTo: 256 << 10, followsLinks: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
