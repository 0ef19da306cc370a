package import ProctorBase
import ProctorHTTP

/// Makes a scenario of a recording: equal exchanges become one, other replies to the same request come by turn.
package struct RecordingDrafter {
    /// Replaced by patterns and other words unless they are to be kept.
    package let keepsSecrets: Bool
    /// Whether times of the source become waits.
    private let keepsWaits: Bool
    private let budget: WorkBudget
    let progress: ImportProgress?

    package init(
        keepsSecrets: Bool, keepsWaits: Bool = false, progress: ImportProgress? = nil, budget: WorkBudget
    ) {
        (self.progress, self.keepsSecrets, self.keepsWaits, self.budget) = (progress, keepsSecrets, keepsWaits, budget)
    }

    /// Counts the work on so many bytes, a step for each 64.
    func spend(_ byteCount: Int) throws(ImportFailure) {
        do throws(SpentBudget) { try budget.spend(1 + byteCount / 64) } catch { throw ImportFailure(error) }
    }

    /// The bounds of the language.
    private static let exchangeLimit = 1_000
    private static let replyLimit = 1_000

    /// Equal exchanges of the recording that follow one another, as the fixture needs them.
    private struct Taken {
        let features: RequestFeatures
        let reply: DraftReply
        /// The place of the first of the equal exchanges.
        let place: String
        var count = 1

        func isSame(_ other: Taken) -> Bool { reply == other.reply && features == other.features }
    }

    private struct Key: Hashable {
        let origin: String
        let method: String
        let target: String
    }

    package func draft(_ recording: Recording) throws(ImportFailure) -> Draft {
        var search = SecretSearch(keepsSecrets: keepsSecrets)
        progress?.beginPhase("looking for secrets in exchanges", of: recording.exchanges.count)
        try search.search(recording) { byteCount throws(ImportFailure) in
            progress?.countStep()
            try spend(byteCount)
        }
        var draft = Draft(summary: "")
        draft.remarks = recording.remarks + search.remarks
        var addresses = LateAddresses()
        var ids: Set<String> = []
        for exchange in recording.exchanges {
            if addresses.name(of: exchange.request.origin) == nil {
                throw ImportFailure(
                    at: exchange.place,
                    "the recording has more than \(LateAddresses.most) hosts, as many as a scenario has")
            }
            try spend(exchange.byteCount)
            ids.formUnion(TargetPattern.ids(in: exchange.reply.content))
            for field in exchange.reply.fields { ids.formUnion(TargetPattern.ids(in: field.bytes)) }
        }
        addresses.prepare()
        let pattern = TargetPattern(store: search.store, givenIDs: ids, placeholders: recording.placeholders)
        var drafter = ReplyDrafter(store: search.store, addresses: addresses)
        var keys: [Key] = []
        var groups: [Key: [Taken]] = [:]
        var open: Set<Key> = []
        progress?.beginPhase("writing exchanges", of: recording.exchanges.count)
        for exchange in recording.exchanges {
            progress?.countStep()
            try spend(exchange.byteCount)
            let request = exchange.request
            guard let target = pattern.pattern(request.target, open: request.openSegments),
                request.method.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                draft.remarks.add(at: exchange.place, "the request's target can't stand in a fixture")
                continue
            }
            let key = Key(
                origin: addresses.name(of: request.origin) ?? "main", method: request.method, target: target.text)
            let read = drafter.read(exchange.reply)
            try spend(read.content.count)
            var reply = drafter.draft(exchange.reply, read, to: request, at: exchange.place)
            reply.addEffects(of: exchange.reply, keepsWaits: keepsWaits)
            var claim = drafter.claim(exchange, read, at: key.origin)
            claim.request.target = recording.placeholders.replaced(in: claim.request.target, by: "any")
            draft.claims.append(claim)
            let features = RequestFeatures(request, condition: ContentDraft(pattern: pattern))
            if groups[key] == nil {
                guard keys.count < Self.exchangeLimit else { throw Self.tooMany }
                keys.append(key)
            }
            if target.isOpen { open.insert(key) }
            Self.add(Taken(features: features, reply: reply, place: exchange.place), to: &groups[key, default: []])
        }
        // What takes more requests stands behind what takes fewer.
        let fixed = keys.filter { !open.contains($0) }
        let wide = keys.filter(open.contains).sorted { $0.target.utf8.count > $1.target.utf8.count }
        for key in fixed + wide {
            draft.exchanges += try exchanges(for: key, groups[key] ?? [])
        }
        draft.remarks += drafter.remarks
        draft.remarks.append(
            contentsOf: drafter.leftOut.sorted { $0.key < $1.key }.map {
                ImportRemark(at: "all replies", "\($0.key) is left out: \($0.value)")
            })
        try finish(&draft, recording, addresses, search.store)
        return draft
    }

    private func finish(
        _ draft: inout Draft, _ recording: Recording, _ addresses: LateAddresses, _ store: SecretStore
    ) throws(ImportFailure) {
        guard !draft.exchanges.isEmpty else {
            let reasons = draft.remarks.prefix(10).map { "\n\($0)" }.joined()
            throw ImportFailure(
                "no request with a reply could be taken over\(reasons)")
        }
        guard draft.exchanges.count <= Self.exchangeLimit else { throw Self.tooMany }
        draft.origins = addresses.origins
        let hosts = addresses.origins.compactMap {
            $0.url.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String(validUTF8: $0) }
        }
        let shown =
            hosts.count > 3 ? "\(hosts[0]) and \(hosts.count - 1) other hosts" : hosts.joined(separator: " and ")
        let count = Plural.count(recording.exchanges.count, "request")
        draft.summary = "\(count)\(shown.isEmpty ? "" : " to \(shown)"), \(recording.origin)"
        for version in ["HTTP/2", "HTTP/3"] where recording.exchanges.contains(where: { $0.reply.version == version }) {
            draft.remarks.add(
                at: "all replies",
                "\(version) was recorded and any protocol is served; protocols of an origin, or run --protocol, permit one alone"
            )
        }
        for origin in addresses.origins where origin.url.hasPrefix("https:") {
            draft.remarks.add(
                at: "origin \(origin.name)",
                "\(origin.url) is played over http; 'scheme: https' in 'origins' gives it TLS")
        }
        draft.secrets = ReplacedSecrets(store)
    }

    private static var tooMany: ImportFailure {
        ImportFailure(
            "the recording makes more than \(exchangeLimit) exchanges, as many as a scenario has; record less at a time"
        )
    }

    private static func add(_ taken: Taken, to group: inout [Taken]) {
        if let last = group.last, last.isSame(taken) { group[group.count - 1].count += 1 } else { group.append(taken) }
    }

    // MARK: One target

    /// The exchanges for one method and target; more than one where something else of the request decides.
    private func exchanges(for key: Key, _ taken: [Taken]) throws(ImportFailure) -> [DraftExchange] {
        var cells = [taken]
        var used: [String] = []
        for name in RequestFeatures.names where cells.contains(where: { Self.differs($0) }) {
            let finer = cells.flatMap { Self.split($0, by: name) }
            guard finer.count > cells.count, Self.separates(finer, cells), name != "content" || Self.areWhole(taken)
            else {
                continue
            }
            cells = finer
            used.append(name)
        }
        guard cells.count <= Self.exchangeLimit else { throw Self.tooMany }
        let cookies = taken.reduce(into: Set<String>()) { $0.formUnion($1.features.cookies) }
        let common = taken.dropFirst().reduce(taken.first?.features.cookies ?? []) {
            $0.intersection($1.features.cookies)
        }
        return try cells.map { cell throws(ImportFailure) in
            var request = DraftRequest(key.method, .text(key.target))
            for name in used { cell.first?.features.add(name, to: &request, others: cookies.subtracting(common)) }
            let count = Self.turnCount(cell)
            guard count <= Self.replyLimit else {
                throw ImportFailure(
                    at: cell.first?.place ?? key.target,
                    "\(key.method) \(key.target) has \(count) replies; an exchange has at most \(Self.replyLimit)"
                )
            }
            let replies = cell.lazy.flatMap { repeatElement($0.reply, count: $0.count) }.prefix(count)
            var exchange = DraftExchange(request, Array(replies), origin: key.origin == "main" ? nil : key.origin)
            exchange.place = cell.first?.place ?? ""
            return exchange
        }
    }

    private static func differs(_ cell: [Taken]) -> Bool { cell.contains { $0.reply != cell[0].reply } }

    /// Whether all contents can be asked for.
    private static func areWhole(_ taken: [Taken]) -> Bool { taken.allSatisfy { $0.features.content != nil } }

    private static func split(_ cell: [Taken], by name: String) -> [[Taken]] {
        var indices: [YAMLTree?: Int] = [:]
        var cells: [[Taken]] = []
        for item in cell {
            let index = indices[item.features.value(of: name), default: cells.count]
            if index == cells.count {
                indices[item.features.value(of: name)] = index
                cells.append([])
            }
            cells[index].append(item)
        }
        return cells
    }

    /// Whether fewer replies are left to come by turn.
    private static func separates(_ finer: [[Taken]], _ coarse: [[Taken]]) -> Bool {
        turns(finer) < turns(coarse)
    }

    private static func turns(_ cells: [[Taken]]) -> Int { cells.reduce(0) { $0 + turnCount($1) - 1 } }

    /// The number of replies without the last ones that are equal, since the last one stays; at least 1.
    private static func turnCount(_ cell: [Taken]) -> Int {
        let count = cell.reduce(0) { $0 + $1.count }
        guard let last = cell.last?.reply else { return count }
        var equalCount = 0
        for taken in cell.reversed() {
            guard taken.reply == last else { break }
            equalCount += taken.count
        }
        return count - equalCount + 1
    }
}
