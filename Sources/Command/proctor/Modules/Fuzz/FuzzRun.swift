internal import ProctorBase
internal import ProctorExam
internal import ProctorFuzz

/// One walk over mutants: what came of each is printed and written, and the mutants that divide clients are kept.
struct FuzzRun {
    let walk: FuzzWalk
    let file: FuzzFile
    let folder: String
    let isVerbose: Bool
    let output: Output

    /// What came of the mutants.
    private struct Tally {
        var counts: [String: Int] = [:]
        var kept: [(path: String, groups: String)] = []
        /// The first mutant that was not asked.
        var end: Int
        var hasFailed = false
    }

    /// True where no mutant, of an earlier walk too, divided the clients, and all were asked.
    func walk(to count: Int, within time: Duration) async throws -> Bool {
        let (result, isStopped) = try await StoppableWork.run { await ask(to: count, within: time) }
        let tally = try result.get()
        printTable(tally)
        let asked = tally.end - 1
        if isStopped || asked < count, !tally.hasFailed {
            let reason = isStopped ? "stopped" : "the time of --minutes is over"
            output.message(
                "\(reason) behind mutant \(asked) of \(count)"
                    + (file.path.map { "; the same command with --json \($0) --resume goes on from there" } ?? ""))
            return false
        }
        let total = tally.counts.values.reduce(0, +)
        let compared = ["agreed", "divided", "known", "unsteady"].reduce(0) { $0 + tally.counts[$1, default: 0] }
        if total > 0, compared == 0 {
            output.message("no mutant was asked of two clients, so nothing was compared; --verbose says why")
            return false
        }
        return !tally.hasFailed && tally.kept.isEmpty && file.former.dividedCount == 0
    }

    private func ask(to count: Int, within time: Duration) async -> Tally {
        var walk = walk
        var tally = Tally(end: file.former.count + 1)
        let start = MonotonicClock.nanoseconds
        while tally.end <= count, !Task.isCancelled, MonotonicClock.nanoseconds &- start < time.wholeNanoseconds {
            let result = await walk.ask(tally.end)
            // Its clients were ended.
            if Task.isCancelled { break }
            tally.counts[result.state.word, default: 0] += 1
            var path: String?
            if result.state == .divided {
                path = writeFixture(of: result)
                guard let path else {
                    tally.hasFailed = true
                    break
                }
                tally.kept.append((path, result.disagreement?.text ?? ""))
            }
            print(result, path)
            if !file.append(FuzzRecord.line(result, file: path), output) {
                tally.hasFailed = true
                break
            }
            tally.end += 1
        }
        return tally
    }

    /// The path of the fixture; nil after an error, which was printed.
    private func writeFixture(of result: MutantResult) -> String? {
        let path = "\(folder)/mutant-\(file.seed)-\(result.number).yaml"
        guard let text = result.fixture(head: FixtureSchema.line(below: 0), seed: file.seed) else { return nil }
        do {
            // One of an earlier walk with this seed is the same mutant.
            try AtomicFile.remove(path)
            try AtomicFile.create(path, with: text)
            _ = try FixtureSchema.add(to: folder)
            return path
        } catch {
            output.message("\(path) can't be written: \(error)")
            return nil
        }
    }

    private func print(_ result: MutantResult, _ path: String?) {
        guard isVerbose || path != nil else { return }
        let mutant = result.mutant.map { "\($0.source.id)#\($0.caseName)" } ?? "nothing that the language takes"
        output.line("\(result.number) \(result.state.word): \(mutant)")
        for mutation in result.mutant?.mutations ?? [] {
            output.line("  \(PrintableText.sanitize(mutation.text, limit: 200))")
        }
        guard path != nil || isVerbose else { return }
        for answer in result.answers {
            output.line("  \(answer.client): \(PrintableText.sanitize(answer.sentence, limit: 200))")
        }
    }

    private func printTable(_ tally: Tally) {
        let words = ["agreed", "divided", "known", "unsteady", "not-visited", "not-compared", "not-made"]
        let counts = words.compactMap { word in tally.counts[word].map { "\($0) \(word)" } }
        if !tally.kept.isEmpty {
            let width = tally.kept.map(\.path.count).max() ?? 0
            output.line("")
            for (path, groups) in tally.kept {
                output.line(path + String(repeating: " ", count: width - path.count + 2) + groups)
            }
        }
        let total = Plural.count(tally.counts.values.reduce(0, +), "mutant")
        output.line("\(total): \(counts.isEmpty ? "none asked" : counts.joined(separator: ", "))")
    }
}

/// The file of `--json`, and the seed of the walk.
struct FuzzFile {
    /// nil: no lines are written.
    let path: String?
    let seed: UInt64
    private(set) var former = FuzzRecord.Former()
    /// nil where several may write, as to a pipe.
    private var claim: FileClaim?

    private static let byteLimit = 1 << 30

    init(_ arguments: ParsedArguments, _ output: Output, header: (UInt64) -> FuzzRecord.Header) throws {
        let given = try arguments.seed
        path = arguments["--json"]
        guard let path else {
            seed = given ?? UInt64.random(in: 0..<1 << 32)
            return
        }
        let file = try ReportFile(path, flag: "--json", output)
        if file.isRegular {
            claim = try FileClaim(of: path)
            guard claim != nil else {
                throw InputFailure("--json \(path) can't be written: another walk is writing it; name another file")
            }
        }
        if arguments.has("--resume") {
            let bytes = try InputFile.bytes(of: path, limit: Self.byteLimit)
            guard let former = FuzzRecord.read(bytes, file: path) else {
                throw UsageError("--resume: \(path) holds no lines of 'proctor fuzz --json'")
            }
            if let earlier = former.header {
                seed = earlier.seed
                guard given ?? seed == seed, header(seed) == earlier else {
                    throw UsageError(
                        "--resume: \(path) is of --seed \(seed), the clients \(earlier.clients.joined(separator: ",")) and "
                            + "\(Plural.count(earlier.sources.count, "scenario")); name the same ones, or another file")
                }
                self.former = former
                try AtomicFile.replace(path, with: String(decoding: bytes.prefix(former.byteCount), as: UTF8.self))
                return
            }
        }
        seed = given ?? UInt64.random(in: 0..<1 << 32)
        try file.clear()
        if !append(FuzzRecord.line(header(seed)), output) { throw PrintedFailure() }
    }

    /// False after an error, which was printed.
    func append(_ line: [UInt8], _ output: Output) -> Bool {
        guard let path else { return true }
        guard let failure = AtomicFile.append(line, to: path).failure else { return true }
        output.message("--json \(path) can't be written: \(failure.text)")
        return false
    }
}
