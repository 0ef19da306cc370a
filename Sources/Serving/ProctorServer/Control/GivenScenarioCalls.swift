internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorReplies
internal import ProctorScenario

// Scenarios whose text is the body of a call.
extension ControlAPI {
    /// Reads the body as the text of a scenario, YAML or JSON; throws its errors in the words of `proctor check`.
    private func scenario(
        of request: ControlRequest, id: String, isOfStubs: Bool = false
    ) async throws(ControlError) -> Scenario {
        try Self.checkID(id)
        let text = request.text
        return try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(ControlError) in
            let load = isOfStubs ? ScenarioLoader.parseStubs : ScenarioLoader.parseMade
            let (scenario, diagnostics) = load(text, id, "body", AddedScenarios.madeByteLimit)
            if let scenario { return scenario }
            throw ControlError(
                400, "broken-scenario", message: diagnostics.map(\.description).joined(separator: "\n"))
        }
    }

    /// An id is a path of the shared port, so only bytes that stand for themselves in a URL are permitted.
    private static func checkID(_ id: String) throws(ControlError) {
        let segments = id.split(separator: "/", omittingEmptySubsequences: false)
        let isGood = segments.allSatisfy { segment in
            guard let first = segment.utf8.first, first.isASCIILetter || first.isASCIIDigit else { return false }
            return segment.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) }
        }
        guard isGood, id.utf8.count <= idByteLimit, segments.count <= idSegmentLimit else {
            throw .badRequest(
                "'\(EscapedText.escape(id.utf8, limit: 100))' can't be the id of a scenario: up to \(idSegmentLimit) names "
                    + "with a slash between them, each a letter or digit, then letters, digits, '-', '_', '.' and '~', "
                    + "\(idByteLimit) bytes in all")
        }
    }

    private static let idByteLimit = 200
    private static let idSegmentLimit = 8

    // MARK: One run

    /// Makes a run of the scenario in the body.
    func createInline(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await create(request, id: request.query["id"] ?? "inline", isOfStubs: false)
    }

    /// Makes a run of the stubs in the body.
    func createStubs(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await create(request, id: request.query["id"] ?? "stubs", isOfStubs: true)
    }

    private func create(
        _ request: ControlRequest, id: String, isOfStubs: Bool
    ) async throws(ControlError) -> BuiltInReply {
        try request.checkQuery(["id", "lifeSeconds", "reslice", "seed", "protocol"])
        let settings = RunSettings(
            lifeSeconds: try request.life(usual: Self.defaultLife),
            recutting: try request.optionalNumber("reslice", in: RunSeed.range).map { .often(seed: $0) },
            seed: try request.optionalNumber("seed", in: RunSeed.range).map { RunSeed($0) },
            wantedProtocol: try request.query["protocol"].map { text throws(ControlError) in
                try Self.protocol(text, found: "'\(EscapedText.escape(text.utf8, limit: 100))'")
            } ?? .http11)
        let scenario = try await scenario(of: request, id: id, isOfStubs: isOfStubs)
        let run = try await make(settings) { CompiledScenario(scenario) }
        return .object(status: 201) { $0.details(of: run) }
    }

    // MARK: Sets

    func listSets(_ request: ControlRequest) -> BuiltInReply { list(stages.added.entries(), at: request.base) }

    /// The scenarios of a set, or one of them.
    func describeSet(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let entries = stages.added.entries(in: request.id)
        guard !entries.isEmpty else { throw unknownSet(request.id) }
        return list(entries, at: request.base)
    }

    private func list(_ entries: [AddedScenarios.Entry], at base: String) -> BuiltInReply {
        .object { json in
            json.objects("scenarios", of: entries) { json, entry in json.givenMembers(of: entry, at: base) }
        }
    }

    /// Adds the scenario in the body to a set, or replaces it there.
    func putInSet(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try request.checkQuery(["lifeSeconds"])
        guard request.id.contains("/") else {
            throw .badRequest("a scenario's name is expected behind the set's: sets/\(request.id)/NAME")
        }
        let life = try request.life(usual: Self.defaultLife)
        let scenario = try await scenario(of: request, id: request.id)
        let wasThere: Bool
        do throws(AddedScenarios.Refusal) {
            wasThere = try stages.added.add(
                scenario, textByteCount: request.body.count, lifeSeconds: life, beside: catalogue)
        } catch {
            throw ControlError(error, id: request.id)
        }
        await runs.endStanding([scenario.id])
        return .object(status: wasThere ? 200 : 201) { json in
            for entry in stages.added.entries(in: scenario.id) { json.givenMembers(of: entry, at: request.base) }
        }
    }

    /// Removes a set, or one of its scenarios.
    func deleteFromSet(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let removed = stages.added.remove(request.id)
        guard !removed.isEmpty else { throw unknownSet(request.id) }
        await runs.endStanding(Set(removed))
        return .object { $0.texts("deleted", removed) }
    }

    private func unknownSet(_ id: String) -> ControlError {
        ControlError(
            404, "unknown-set",
            message:
                "no set has '\(EscapedText.escape(id.utf8, limit: 200))'; it may have been deleted, or forgotten for "
                + "too long")
    }
}

extension ControlError {
    fileprivate init(_ refusal: AddedScenarios.Refusal, id: String) {
        switch refusal {
        case .tooMany:
            self.init(
                503, "too-many-scenarios",
                message:
                    "the sets have \(AddedScenarios.limit) scenarios, which is the limit; delete some, or let them "
                    + "be forgotten")
        case .tooLong:
            self.init(
                503, "too-many-scenarios",
                message:
                    "the texts of all sets would have more than \(AddedScenarios.allTextByteLimit) bytes, which is "
                    + "the limit; delete some, or let them be forgotten")
        case .taken(let other):
            self.init(
                409, "id-taken",
                message: other == id
                    ? "'\(id)' is the id of a scenario that is served already"
                    : "'\(id)' can't be served beside the scenario '\(other)', for one would be a folder of the other")
        }
    }
}

extension ControlRequest {
    /// The most bytes of a scenario's text.
    static let textByteLimit = AddedScenarios.textByteLimit

    /// The body as YAML, which includes JSON except for surrogate escapes.
    fileprivate var text: [UInt8] {
        let first = body.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") ? JSONEscapes.joiningSurrogates(of: body) : body
    }

    /// Refuses items of the query that the call does not take.
    package func checkQuery(_ allowed: [String]) throws(ControlError) {
        for name in query.keys.sorted() where !allowed.contains(name) {
            let hint = NearestName.find(name, in: allowed).map { "did you mean '\($0)'?" }
            throw .badRequest(
                "unknown query item '\(EscapedText.escape(name.utf8, limit: 60))'; "
                    + (hint ?? "there are \(allowed.joined(separator: ", "))"))
        }
    }

    fileprivate func life(usual: Int) throws(ControlError) -> Int {
        try optionalNumber("lifeSeconds", in: ControlAPI.lifeRange) ?? usual
    }
}

extension JSONText {
    fileprivate mutating func givenMembers(of entry: AddedScenarios.Entry, at base: String) {
        scenarioMembers(of: entry.scenario)
        if entry.scenario.rootReason == nil { member("base", "\(base)/\(entry.scenario.id)") }
        member("lifeSeconds", entry.lifeSeconds)
    }
}
