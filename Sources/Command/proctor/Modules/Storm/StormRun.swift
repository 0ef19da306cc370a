internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorLoop
internal import ProctorStorm

/// One storm: schedules are asked, several at a time, and the first one that breaks an invariant is taken apart.
struct StormRun: Sendable {
    let walk: StormWalk
    let options: StormOptions
    let client: String
    /// What the client's ledger says of invariants, with the reasons.
    let known: [StormInvariant: String]
    /// Schedules under way at a time.
    let jobs: Int
    let output: Output

    /// How long one schedule is taken apart.
    private static let shrinkTime = Duration.seconds(60)

    private struct Tally: Sendable {
        var loads = 0
        var schedules = 0
        var crashes = 0
        var absences: [String: Int] = [:]
        /// The first schedule that broke each.
        var broken: [StormInvariant: StormResult] = [:]
        var brokenCount: [StormInvariant: Int] = [:]
        var nanoseconds: UInt64 = 0
        var isWhole = true
    }

    /// True where every schedule was asked and none broke an invariant.
    func finish() async throws -> Bool {
        let (result, isStopped) = try await StoppableWork.run { await perform() }
        let (isClean, tally) = try result.get()
        if isStopped { output.message("stopped after \(Plural.count(tally.loads, "load"))") }
        return isClean && !isStopped
    }

    private func perform() async -> (Bool, Tally) {
        var walk = walk
        if let reason = await walk.learnAbilities() {
            output.message("\(client) can't be asked: \(reason)")
            return (false, Tally())
        }
        if !walk.abilities.contains(.severalLoads) {
            output.message("\(client) makes one load at a time: its adapter does not declare several-loads")
        }
        for way in StormWay.all {
            guard let reason = walk.lostWays[way.name] else { continue }
            output.message("left out: \(way.words): \(PrintableText.sanitize(reason, limit: 300))")
        }
        let start = MonotonicClock.nanoseconds
        var tally = await askAll(walk, from: start)
        tally.nanoseconds = MonotonicClock.nanoseconds &- start
        for invariant in options.last.map({ [$0] }) ?? StormInvariant.allCases {
            guard let first = tally.broken[invariant], known[invariant] == nil, !Task.isCancelled else { continue }
            await report(first, invariant, walk)
        }
        printEnd(tally)
        return (
            tally.broken.keys.allSatisfy { known[$0] != nil } && tally.crashes == 0 && tally.absences.isEmpty
                && tally.isWhole, tally
        )
    }

    /// The entries of a ledger by invariant; throws where one names none.
    static func known(in ledger: Ledger?) throws -> [StormInvariant: String] {
        var known: [StormInvariant: String] = [:]
        for entry in ledger?.invariants ?? [] {
            guard let invariant = StormInvariant(rawValue: entry.subject) else {
                let names = StormInvariant.allCases.map(\.rawValue).joined(separator: ", ")
                let name = PrintableText.sanitize(entry.subject, limit: 60)
                throw InputFailure("\(entry.location): no invariant is '\(name)'; they are \(names)")
            }
            known[invariant] = entry.because
        }
        return known
    }

    // MARK: Asking

    private func askAll(_ walk: StormWalk, from start: UInt64) async -> Tally {
        var tally = Tally()
        await withTaskGroup(of: StormResult.self) { group in
            var (index, running, wanted) = (0, 0, 0)
            func isOver() -> Bool {
                wanted >= options.loads || Task.isCancelled || options.last.map { tally.broken[$0] != nil } ?? false
                    || MonotonicClock.nanoseconds &- start >= options.time.wholeNanoseconds
            }
            while true {
                while running < jobs, !isOver() {
                    let schedule = walk.schedule(options.number(at: index))
                    index += 1
                    wanted += schedule.names.count
                    running += 1
                    group.addTask { await walk.ask(schedule) }
                }
                guard let result = await group.next() else { break }
                running -= 1
                count(result, in: &tally)
            }
            tally.isWhole = wanted >= options.loads || options.last != nil && isOver()
        }
        return tally
    }

    private func count(_ result: StormResult, in tally: inout Tally) {
        guard !Task.isCancelled else { return }
        tally.schedules += 1
        tally.loads += result.loadCount
        if let absence = result.absence { tally.absences[absence, default: 0] += 1 }
        if result.crash != nil { tally.crashes += 1 }
        for invariant in Set(result.breaks.map(\.invariant)) {
            tally.brokenCount[invariant, default: 0] += 1
            if tally.broken[invariant] == nil { tally.broken[invariant] = result }
        }
        guard options.isVerbose else { return }
        output.line(
            "schedule \(result.schedule.number): \(result.absence ?? (result.breaks.isEmpty ? "held" : "broken"))")
        for found in result.breaks { output.line("  \(PrintableText.sanitize(found.line, limit: 300))") }
    }

    // MARK: Reporting

    private func report(_ result: StormResult, _ invariant: StormInvariant, _ walk: StormWalk) async {
        output.line("\(invariant.rawValue): \(invariant.row.sentence) (\(invariant.row.source))")
        for found in result.breaks.filter({ $0.invariant == invariant }).prefix(3) {
            output.line("  schedule \(result.schedule.number), \(PrintableText.sanitize(found.line, limit: 300))")
        }
        var shrink = StormShrink(result, of: invariant, by: walk, within: Self.shrinkTime)
        await shrink.run()
        let counts = await shrink.count()
        output.line(
            "  taken apart by \(Plural.count(shrink.askedCount, "attempt")), it breaks \(counts.broken) of \(counts.asked) times:"
        )
        for line in shrink.schedule.lines { output.line("  \(line)") }
        for found in shrink.result.breaks.filter({ $0.invariant == invariant }).prefix(3) {
            output.line("  \(PrintableText.sanitize(found.line, limit: 300))")
        }
        if let sitting = shrink.result.sitting { output.line("\(sitting.timeline)") }
        write(shrink.result, invariant, counts)
    }

    private func write(_ result: StormResult, _ invariant: StormInvariant, _ counts: (broken: Int, asked: Int)) {
        let name = "storm-\(options.seed)-\(result.schedule.number)-\(invariant.rawValue)"
        let path = "\(options.folder)/\(name).yaml"
        guard
            let text = result.fixture(of: invariant, head: FixtureSchema.line(below: 0), client: client, counts: counts)
        else { return output.line("  no scenario is written: an exam looks at no descriptors of a client") }
        do {
            try AtomicFile.remove(path)
            try AtomicFile.create(path, with: text)
            _ = try FixtureSchema.add(to: options.folder)
            output.line("  written: \(path); proctor exam \(name) --fixtures \(options.folder) asks it again")
        } catch {
            output.message("\(path) can't be written: \(error)")
        }
    }

    private func printEnd(_ tally: Tally) {
        let seconds = Double(tally.nanoseconds) / 1e9
        let rate = seconds > 0 ? Int(Double(tally.loads) / seconds) : 0
        let broken =
            tally.brokenCount.isEmpty
            ? "no invariant was broken"
            : "broken: "
                + StormInvariant.allCases.compactMap { invariant in
                    tally.brokenCount[invariant].map {
                        "\(invariant.rawValue) (\(Plural.count($0, "schedule"))\(known[invariant] == nil ? "" : ", known"))"
                    }
                }.joined(separator: ", ")
        output.line(
            "\(client): \(Plural.count(tally.loads, "load")) in \(Plural.count(tally.schedules, "schedule")) of seed "
                + "\(options.seed), in \(Self.tenths(seconds)) s, \(rate) a second; \(broken)")
        for invariant in StormInvariant.allCases where tally.broken[invariant] != nil {
            if let reason = known[invariant] { output.line("known: \(invariant.rawValue): \(reason)") }
        }
        if tally.crashes > 0 { output.line("the client crashed in \(Plural.count(tally.crashes, "schedule"))") }
        for (reason, count) in tally.absences.sorted(by: { $0.key < $1.key }).prefix(5) {
            output.message(
                "\(Plural.count(count, "schedule")) not asked: \(PrintableText.sanitize(reason, limit: 300))")
        }
        if !tally.isWhole {
            output.message(
                "the time of --minutes was over before \(Plural.count(options.loads, "load")) had been asked")
        }
    }

    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int(seconds * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
