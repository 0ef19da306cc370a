import Foundation
import ProctorBase
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// One run, the connections to it, and the acts of a row.
struct Conversation {
    let server: Server
    let run: Run
    let row: Row
    private var talkers: [String: Talker] = [:]
    private var lastSending = ContinuousClock.now

    init(server: Server, run: Run, row: Row) {
        self.server = server
        self.run = run
        self.row = row
    }

    /// What texts of blocks may call by name.
    func name(_ check: inout Check) { check.names.merge(Self.names(of: run, server)) { $1 } }

    static func names(of run: Run, _ server: Server) -> [String: String] {
        var names = ["base": run.base, "authority": authority(of: run.base), "server": server.base]
        if let trust = run.trust { names["trust"] = trust }
        for origin in run.origins {
            names["origin.\(origin.name)"] = origin.url
            names["authority.\(origin.name)"] = authority(of: origin.url)
        }
        return names
    }

    private static func authority(of url: String) -> String {
        String(url[(url.range(of: "://")?.upperBound ?? url.startIndex)...].prefix { $0 != "/" })
    }

    mutating func act(_ block: Block, _ check: inout Check) async throws {
        switch block.name {
        case "send": try await send(block, check)
        case "get": try await get(block, &check)
        case "client": try await client(block, &check)
        case "exchanges": try await exchanges(block, &check)
        case "pieces": try await pieces(block, &check)
        case "run": try await actOnRun(block)
        case "journal": try await journal(block, &check)
        case "entries": try await journal(block, &check)
        case "verdict": try verdict(block, &check)
        default:
            throw RowError(
                block.line,
                "unknown block \"\(block.name)\" in a conversation; blocks are scenario, reply, limits, file, send, get, "
                    + "exchanges, pieces, client, run, journal, entries, verdict, variants")
        }
    }

    /// Ends all connections.
    func end() async { for talker in talkers.values { talker.wire.close() } }

    // MARK: Acts

    private mutating func send(_ block: Block, _ check: Check) async throws {
        let talker = try talker(block)
        let bytes = try ByteText.bytes(check.fill(block.text), line: block.line)
        let size = try block.number(of: "by") ?? bytes.count
        let (finishes, resets) = (block.has("finish"), block.has("reset"))
        lastSending = .now
        try await onThread {
            var rest = bytes[...]
            while !rest.isEmpty {
                try talker.wire.send(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            if finishes { talker.wire.finish() }
            if resets { talker.wire.reset() }
        }
    }

    private mutating func get(_ block: Block, _ check: inout Check) async throws {
        let talker = try talker(block)
        let wanted = check.fill(block.text)
        let ending: Wire.Ending? = block.has("end") ? .closed : block.has("reset") ? .reset : nil
        let names = check.names
        let isRecording = check.isRecording
        let got = try await onThread {
            try talker.read(
                wanted: wanted, ending: ending, line: block.line, isRecording: isRecording, names: names)
        }
        check.expect(block, got: got)
        if let least = block.value(of: "after") {
            let took = ContinuousClock.now - lastSending
            let isLate = try took >= LimitWords.duration(least, at: block.line)
            check.require(isLate, block, "after \(least)\n", got: "after \(took)\n")
        }
    }

    /// Lines such as `finish`, `reset on 2`, `silent 50ms`.
    private mutating func client(_ block: Block, _ check: inout Check) async throws {
        for (index, line) in block.lines.enumerated() {
            let act = Block(info: line, text: "", line: block.line + index + 1)
            let talker = try talker(act)
            switch act.name {
            case "finish": talker.wire.finish()
            case "reset": talker.wire.reset()
            case "close": talker.wire.close()
            case "connect": break
            case "silent":
                let time = try LimitWords.duration(act.words.first ?? "", at: act.line)
                let milliseconds = Int32(time.wholeNanoseconds / 1_000_000)
                let isSilent = try await onThread { talker.wire.isSilent(milliseconds: milliseconds) }
                check.require(isSilent, block, line + "\n", got: "something came\n")
            default:
                throw RowError(act.line, "unknown act \"\(act.name)\"; acts are connect, finish, reset, close, silent")
            }
        }
    }

    func journal(_ block: Block, _ check: inout Check) async throws {
        let wanted = TextPattern(check.fill(block.text))
        var time = LoadAdjustedTime(Talker.patience)
        while true {
            let text = Self.unfill(journalText(block), check.names)
            let isWhole =
                check.isRecording && block.text.isEmpty
                ? run.journal.lines.contains { $0.contains(" closed by ") } : wanted.matches(text)
            if isWhole {
                check.expect(block, got: text)
                return
            }
            guard time.nextSlice() != nil else {
                check.expect(block, got: text)
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func journalText(_ block: Block) -> String {
        if block.name == "entries" { return entryText(block) }
        return run.journal.lines.map { $0 + "\n" }.joined()
    }

    private func verdict(_ block: Block, _ check: inout Check) throws {
        let name = block.words.first
        guard let item = name.map({ name in run.scenario.cases.first { $0.name == name } }) ?? run.scenario.cases.first
        else {
            throw RowError(block.line, "the scenario has no such case")
        }
        let verdict = run.wireVerdict(of: item)
        check.expect(block, got: Self.unfill("\(verdict)\n", check.names))
        // A file says the same.
        let bytes = JournalEncoder().lines(run.journal.snapshot().entries)
        let read = WireGrader(item, context: run.context).grade(try JournalLines(bytes, file: "run.jsonl").entries)
        check.require(
            read.outcome == verdict.outcome, block, "\(verdict)\n", got: "of what the journal's file says: \(read)\n")
    }

    /// The connection that a block names by `on N`, opened when it is first named; `to ORIGIN` says where.
    mutating func talker(_ block: Block) throws -> Talker {
        let name = block.value(of: "on") ?? "1"
        if let talker = talkers[name] { return talker }
        let talker = Talker(try Wire(to: place(block)))
        talkers[name] = talker
        return talker
    }

    /// Where a block wants to talk to.
    func place(_ block: Block) throws(RowError) -> String {
        guard let place = block.value(of: "to") else { return run.base }
        guard let url = place == "server" ? server.base : run.origin(place) else {
            throw RowError(block.line, "there is no origin \"\(place)\"")
        }
        return url
    }

    /// What varies, by its name again.
    static func unfill(_ text: String, _ names: [String: String]) -> String {
        var text = text
        for name in ["base", "server"] + names.keys.filter({ $0.hasPrefix("origin.") }).sorted() + ["authority"]
            + names.keys.filter({ $0.hasPrefix("authority.") }).sorted() + ["trust"]
        {
            if let value = names[name] { text = text.replacing(value, with: "$(\(name))") }
        }
        return text
    }
}
