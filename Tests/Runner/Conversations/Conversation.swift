import Foundation
import ProctorBase
import ProctorGrading
import ProctorJournal
import ProctorLoop
import ProctorProgram
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// One run, the connections to it, and the acts of a row.
struct Conversation {
    let server: Server
    /// nil where a block `server` asks for none; blocks that need it are refused then.
    let givenRun: Run?
    let row: Row
    /// Where the files of the row stand; nil without any.
    let folder: String?
    var talkers: [String: Talker] = [:]
    var frameTalkers: [String: FrameTalker] = [:]
    var webSockets: [String: WebSocketTalker] = [:]
    /// What guards have asked the client of `ask`.
    var credentials = ClientCredentials()
    /// What a block `catalogue` may name.
    var laterScenarios: [String: Scenario] = [:]
    /// The base of the run that a block `draft` made.
    var draftBase: String?
    /// A stop of the run that has begun.
    var stopping: Task<Void, Never>?
    private var lastSending = ContinuousClock.now

    init(server: Server, run: Run?, row: Row, folder: String? = nil) {
        self.server = server
        givenRun = run
        self.row = row
        self.folder = folder
    }

    /// The run, for blocks that are refused where there is none.
    var run: Run {
        guard let givenRun else { preconditionFailure("\(row.path):\(row.line): the row has no run") }
        return givenRun
    }

    /// What texts of blocks may call by name.
    func name(_ check: inout Check) { check.names.merge(Self.names(of: givenRun, server)) { $1 } }

    static func names(of run: Run?, _ server: Server) -> [String: String] {
        var names = ["server": server.base, "address": "\(server.address)"]
        names["port"] = server.address.port.map { "\($0)" }
        if let tls = server.tlsBase { names["tls"] = tls }
        names["port.tls"] = server.tlsAddress?.port.map { "\($0)" }
        if let pages = server.pagesBase { names["pages"] = pages }
        guard let run else { return names }
        names["base"] = run.base
        names["run"] = run.id
        names["authority"] = authority(of: run.base)
        if let trust = run.trust { names["trust"] = trust }
        if let resolver = run.resolver { names["resolver"] = resolver }
        for origin in run.origins {
            names["origin.\(origin.name)"] = origin.url
            names["authority.\(origin.name)"] = authority(of: origin.url)
        }
        if let door = run.namesProxy {
            names["origin.names"] = "http://\(door)"
            names["authority.names"] = door
            names["port.names"] = door.cut(at: ":", last: true).1
        }
        for host in run.names { names["place.\(host.name):\(host.port)"] = host.address }
        return names
    }

    private static func authority(of url: String) -> String {
        String(url[(url.range(of: "://")?.upperBound ?? url.startIndex)...].prefix { $0 != "/" })
    }

    private static let blocks = [
        "scenario", "reply", "server", "limits", "file", "made", "send", "get", "client", "journal", "verdict", "ask",
        "call",
        "guards", "answers", "faults", "frames", "websocket", "curl", "python", "tls", "exchanges", "pieces", "run",
        "leaves", "changes", "entries", "variants", "page", "draft", "later", "catalogue", "slow",
    ]

    private static let runless: Set<String> = [
        "ask", "call", "curl", "send", "get", "client", "frames", "exchanges", "pieces", "page", "later", "catalogue",
        "tls", "python",
    ]

    mutating func act(_ block: Block, _ check: inout Check) async throws {
        guard givenRun != nil || Self.runless.contains(block.name) else {
            throw RowError(block.line, "this block needs a run: put a line \"run\" into the block server")
        }
        switch block.name {
        case "ask", "call": try await ask(block, &check)
        case "frames": try await frames(block, &check)
        case "websocket": try await webSocket(block, &check)
        case "curl", "python": try await curl(block, &check)
        case "tls": try await tls(block, &check)
        case "faults": check.expect(block, got: faultText())
        case "guards": check.expect(block, got: guardText(block))
        case "answers": try await answers(block, &check)
        case "send": try await send(block, check)
        case "get": try await get(block, &check)
        case "client": try await client(block, &check)
        case "exchanges": try await exchanges(block, &check)
        case "pieces": try await pieces(block, &check)
        case "run": try await actOnRun(block)
        case "page": try await page(block, &check)
        case "later": try later(block)
        case "catalogue": try await catalogue(block)
        case "draft": try await draft(block, &check)
        case "changes": try changeFiles(block)
        case "leaves": try await leave(block, &check)
        case "journal": try await journal(block, &check)
        case "entries": try await journal(block, &check)
        case "verdict": try verdict(block, &check)
        default:
            let hint =
                NearestName.find(block.name, in: Self.blocks).map { "did you mean \"\($0)\"?" }
                ?? "blocks are \(Self.blocks.joined(separator: ", "))"
            throw RowError(block.line, "unknown block \"\(block.name)\" in a conversation; \(hint)")
        }
    }

    /// Ends all connections.
    func end() async {
        for talker in talkers.values { talker.wire.close() }
        for talker in frameTalkers.values { talker.wire.close() }
        for talker in webSockets.values { talker.wire.close() }
    }

    // MARK: Acts

    private mutating func send(_ block: Block, _ check: Check) async throws {
        // Before the connection is opened, since a server may begin to wait when it is.
        lastSending = .now
        let talker = try talker(block)
        let bytes =
            block.has("hex")
            ? try ByteText.hexadecimal(block.text[...]) : try ByteText.bytes(check.fill(block.text), line: block.line)
        let size = try block.number(of: "by") ?? bytes.count
        let (finishes, resets) = (block.has("finish"), block.has("reset"))
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

    /// Lines such as `finish`, `reset on 2`, `silent 50ms`, `send GET /a on 2`, `reply on 2`; acts on the run may stand among them.
    private mutating func client(_ block: Block, _ check: inout Check) async throws {
        for (index, line) in block.lines.enumerated() {
            let act = Block(info: line, text: "", line: block.line + index + 1)
            if Self.runActs.contains(act.name) {
                try await actOnRun(Block(info: "run", text: "\(line)\n", line: block.line + index))
                continue
            }
            let talker = try talker(act)
            switch act.name {
            case "send":
                let request = act.has("on") ? line.cut(at: " on ", last: true).0 : line
                let bytes = try ShortRequest.bytes(String(request.dropFirst(5)), line: act.line)
                try await onThread { try talker.wire.send(bytes) }
            case "reply": _ = try await onThread { try talker.wire.readReply() }
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
                throw RowError(
                    act.line, "unknown act \"\(act.name)\"; acts are connect, send, reply, finish, reset, close, silent"
                )
            }
        }
    }

    func journal(_ block: Block, _ check: inout Check) async throws {
        let wanted = TextPattern(check.fill(block.text))
        var time = LoadAdjustedTime(Talker.patience)
        while true {
            let came = journalText(block)
            let text = Self.unfill(came, check.names)
            if check.isRecording, block.text.isEmpty {
                if run.journal.lines.contains(where: { $0.contains(" closed by ") }) {
                    return check.expect(block, got: text)
                }
            } else if let found = wanted.captures(of: came) ?? TextPattern(block.text).captures(of: text) {
                return check.accept(found)
            }
            guard time.nextSlice() != nil else {
                check.expect(block, got: text)
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// `without frame,block` leaves those lines out, `only ws,closed` all others; `apart` tells one connection after the other.
    private func journalText(_ block: Block) -> String {
        if block.name == "entries" { return entryText(block) }
        let without = block.value(of: "without")?.split(separator: ",").map { " \($0) " } ?? []
        let only = block.value(of: "only")?.split(separator: ",").map { " \($0) " }
        let lines = run.journal.lines.filter { line in
            let line = " \(line) "
            return !without.contains { line.contains($0) } && only?.contains { line.contains($0) } != false
        }
        guard block.has("apart") else { return lines.map { $0 + "\n" }.joined() }
        // Those of one connection keep their order.
        let owners = lines.map { $0.prefix { $0 != " " } }
        var seen: Set<Substring> = []
        return owners.filter { seen.insert($0).inserted }.flatMap { owner in
            zip(owners, lines).filter { $0.0 == owner }.map { $0.1 + "\n" }
        }.joined()
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
        let talker = Talker(try Wire(to: try place(block.value(of: "to"), at: block.line)))
        talkers[name] = talker
        return talker
    }

    /// Where a block wants to talk to.
    func place(_ block: Block) throws(RowError) -> String {
        try place(block.value(of: "to"), at: block.line)
    }

    /// What varies, by its name again.
    static func unfill(_ text: String, _ names: [String: String]) -> String {
        var text = text
        func all(_ prefix: String) -> [String] { names.keys.filter { $0.hasPrefix(prefix) }.sorted() }
        let order =
            ["base", "draft", "server", "pages", "tls"] + all("origin.") + ["authority"] + all("authority.")
            + all("place.") + ["trust", "folder", "resolver"]
        for name in order {
            if let value = names[name], varies(value) { text = text.replacing(value, with: "$(\(name))") }
        }
        return text
    }

    /// Whether another run would have another value: no names that a scenario declares.
    private static func varies(_ value: String) -> Bool {
        ["127.", "localhost", "[::1]"].contains { value.contains($0) } || value.hasPrefix("/")
            || value.hasPrefix("unix:/")
    }
}
