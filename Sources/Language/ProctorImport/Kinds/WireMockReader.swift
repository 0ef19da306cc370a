import ProctorBase

/// The mappings of WireMock 2 and 3, of a folder with mappings and __files.
package enum WireMockReader {
    /// `files` by their path in the folder; `refused` are those that were not read.
    package static func read(
        _ files: [String: [UInt8]], refused: [String: FileRefusal] = [:], folder: String
    ) throws(ImportFailure) -> Draft {
        let mappings = files.keys.filter { $0.hasSuffix(".json") && !$0.hasPrefix("__files/") }.sorted()
        guard !mappings.isEmpty else {
            throw ImportFailure(
                at: folder, "the folder holds no mapping; expected mappings/*.json, and bodies in __files")
        }
        var collector = Collector(files: files)
        for (path, refusal) in refused.sorted(by: { $0.key < $1.key }) {
            collector.addRemark(ImportRemark(at: "\(folder)/\(path)", "the file \(refusal), and is left out"))
        }
        for path in mappings {
            do throws(ImportFailure) {
                collector.addFile(try SourceValue(parsing: files[path] ?? [], file: "\(folder)/\(path)"))
            } catch {
                collector.addRemark(ImportRemark(at: "\(folder)/\(path)", "the file is left out: \(error.description)"))
            }
        }
        return try collector.draft(folder: folder)
    }

    private struct Collector {
        let files: [String: [UInt8]]
        private var stubs: [(priority: Int, number: Int, exchange: DraftExchange)] = []
        private var remarks = ImportRemarks()
        private var claims: [SourceClaim] = []
        /// The states of WireMock's scenarios, by name.
        private var states: [String: String] = [:]
        private var stateNames: [String] = []

        init(files: [String: [UInt8]]) { self.files = files }

        private static let usualPriority = 5

        mutating func addRemark(_ remark: ImportRemark) { remarks.append(remark) }

        mutating func addFile(_ root: SourceValue) {
            if let list = root.items { return list.forEach { add($0) } }
            guard let mappings = root["mappings"]?.items else { return add(root) }
            SourceForm.wiremock.check(root, "the file", &remarks)
            for stub in mappings { add(stub) }
        }

        private mutating func add(_ stub: SourceValue) {
            guard stub["Request"] == nil, stub["Response"] == nil else {
                remarks.add(
                    at: stub.place, "the mapping is in the words of WireMock.Net, which are not read, and is left out")
                return
            }
            guard let request = stub["request"], let response = stub["response"] else {
                remarks.add(at: stub.place, "the mapping has no request and response, and is left out")
                return
            }
            var matcher = WireMockRequest()
            guard let drafted = matcher.draft(request) else {
                remarks += matcher.remarks
                return
            }
            remarks += matcher.remarks
            var replier = WireMockResponse(files: files)
            guard var reply = replier.draft(response) else {
                remarks += replier.remarks
                return
            }
            remarks += replier.remarks
            var more: [YAMLTree.Member] = []
            if let name = stub["scenarioName"]?.text { more = addState(of: stub, named: name, to: &reply) }
            var hooks = WireMockWebhook()
            let webhooks = hooks.webhooks(of: stub)
            remarks += hooks.remarks
            if !webhooks.isEmpty { more.append(.init("webhooks", .list(webhooks))) }
            SourceForm.wiremock.check(stub, "the mapping", &remarks)
            var exchange = DraftExchange(drafted, [reply])
            exchange.more = more
            exchange.place = stub.place
            if let claim = WireMockClaim.make(of: stub, files: files) { claims.append(claim) }
            stubs.append((stub["priority"]?.integer ?? Self.usualPriority, stubs.count, exchange))
        }

        /// `when` of the exchange; what the reply changes is added to it.
        private mutating func addState(
            of stub: SourceValue, named name: String, to reply: inout DraftReply
        ) -> [YAMLTree.Member] {
            let key = stateName(name)
            if let next = stub["newScenarioState"]?.text {
                reply.more.append(.init("sets", [key: .text(next)]))
            }
            guard let wanted = stub["requiredScenarioState"]?.text else { return [] }
            return [.init("when", [key: .text(LiteralText.pattern(wanted))])]
        }

        /// A name of letters and digits, whose first value is that of WireMock.
        private mutating func stateName(_ name: String) -> String {
            if let known = states[name] { return known }
            let words = name.utf8.split { !($0.isASCIILetter || $0.isASCIIDigit) }
            var key = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").lowercased()
            if key.isEmpty || states.values.contains(key) { key = "state-\(states.count + 1)" }
            states[name] = key
            stateNames.append(key)
            return key
        }

        /// WireMock asks the newest mapping of a priority first; files have no age, so their order stays.
        func draft(folder: String) throws(ImportFailure) -> Draft {
            var draft = Draft(
                summary: "The mappings of \(folder.split(separator: "/").last ?? ""), a folder of WireMock")
            draft.exchanges = stubs.sorted { ($0.priority, $0.number) < ($1.priority, $1.number) }.map(\.exchange)
            draft.state = stateNames.map { .init($0, .text("Started")) }
            draft.remarks = remarks
            draft.claims = claims
            guard !draft.exchanges.isEmpty else {
                throw ImportFailure(
                    "no mapping of \(folder) could be taken over" + remarks.prefix(10).map { "\n\($0)" }.joined())
            }
            guard draft.exchanges.count <= 1_000 else {
                throw ImportFailure(
                    at: folder, "it has \(draft.exchanges.count) mappings; a scenario has at most 1000 exchanges")
            }
            return draft
        }
    }
}
