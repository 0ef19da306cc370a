internal import ProctorBase
internal import ProctorCoding
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal

/// What a reader of a stream of events knows, and shows of each event (Docs/use/control.md).
struct WatchView {
    let screen: WatchScreen
    let isOnce: Bool
    let isJSON: Bool

    /// The number of the newest entry that was shown, 0 for none.
    private(set) var sequence: UInt64 = 0
    /// Whether a stream was ever opened.
    private(set) var hasBegun = false
    /// Whether no further event is expected.
    private(set) var hasEnded = false
    private var server: String?
    private var epoch: UInt64?
    /// The number of the newest entry when the stream was opened.
    private var newest: UInt64 = 0
    private var start: UInt64?
    private var last: JournalEntry?
    /// The lines of each case's latest verdict, by the case's name.
    private var verdicts: [String: [String]] = [:]
    /// The verdicts that were not shown yet, by the case's name.
    private var hidden: [String: Verdict] = [:]
    /// With `isOnce` the entries that wait for the verdicts, which are shown before them; nil: entries are shown as they come.
    private var held: [(lines: [String], entry: JournalEntry)]?
    /// The number of the newest judged trace that was shown, from 1.
    private var traceNumber: UInt64 = 0

    init(screen: WatchScreen, isOnce: Bool, isJSON: Bool) {
        (self.screen, self.isOnce, self.isJSON) = (screen, isOnce, isJSON)
        held = isOnce ? [] : nil
    }

    private static let findingLimit = 5
    /// Entries that wait; where there are more, all are shown before the verdicts.
    private static let heldLimit = 20_000

    /// Whether all requested entries were shown; verdicts may follow.
    var isWhole: Bool { isOnce && hasBegun && sequence >= newest }

    /// Shows an event; false when the reader wants no more of this stream.
    mutating func handle(_ event: StreamedEvent) -> Bool {
        if isJSON { printJSON(event) }
        let members = (try? JSONTree.read(event.data.span)) ?? .null
        switch event.name {
        case "": return takeEntry(event)
        case "open": return takeOpening(members)
        case "gap":
            sequence = UInt64(event.lastID) ?? sequence
            takeGap(members)
        case "reset":
            epoch = members["epoch"].unsigned
            sequence = UInt64(event.lastID) ?? sequence
            (start, last) = (nil, nil)
            verdicts = [:]
            printNotice("— the run begins again with an empty journal", screen.style.odd)
        case "verdict": takeVerdict(members)
        case "trace": takeTrace(members)
        case "end":
            finish()
            let why = members["why"].string == "run-ended" ? "the run has ended" : "the server has stopped"
            printNotice("— \(why)", screen.style.faint)
            return false
        default: break
        }
        return true
    }

    /// Shows the verdicts that were not shown yet, since no further event comes.
    mutating func finish() {
        hasEnded = true
        showHidden()
        showHeld()
    }

    // MARK: Events

    /// Handles the first event; after a change of server or epoch, the stream is requested from its start.
    private mutating func takeOpening(_ members: JSONTree) -> Bool {
        let (before, epochBefore) = (server, epoch)
        server = members["server"].string
        epoch = members["epoch"].unsigned
        newest = members["seq"].unsigned ?? 0
        hasBegun = true
        guard let before, before != server || epochBefore != epoch else { return true }
        (start, last) = (nil, nil)
        verdicts = [:]
        hidden = [:]
        if before != server { traceNumber = 0 }
        printNotice(
            before == server ? "— the run began again meanwhile" : "— the server was started again", screen.style.odd)
        guard sequence > 0 else { return true }
        sequence = 0
        return false
    }

    private mutating func takeEntry(_ event: StreamedEvent) -> Bool {
        let number = UInt64(event.lastID) ?? sequence
        if isOnce, number > newest {
            finish()
            return false
        }
        sequence = number
        // The verdicts that follow are about new entries.
        guard !isJSON else { return true }
        do {
            for entry in try JournalLines(event.data, file: "the stream").entries {
                start = start ?? entry.nanoseconds
                show(WireTimeline([entry], start: start, after: last).lines, of: entry)
                last = entry
            }
        } catch {
            printNotice("… an entry that can't be read: \(error)", screen.style.bad)
        }
        return true
    }

    private mutating func takeGap(_ members: JSONTree) {
        // Otherwise the next line would count them again.
        last = nil
        let fates = [("dropped", "dropped by the full journal"), ("thinned", "left out, since they came too fast")]
        for (key, fate) in fates {
            guard let count = members[key].unsigned, count > 0 else { continue }
            printNotice("… \(Plural.count(Int(clamping: count), "entry", plural: "entries")) \(fate)", screen.style.bad)
        }
    }

    private mutating func takeVerdict(_ members: JSONTree) {
        let verdict = Verdict(members, findingLimit: Self.findingLimit)
        guard verdicts[verdict.name] != verdict.lines else { return }
        verdicts[verdict.name] = verdict.lines
        // Before the first request every case lacks one, so the verdict is not shown.
        if sequence == 0 || isOnce {
            hidden[verdict.name] = verdict
        } else {
            hidden[verdict.name] = nil
            show(verdict)
        }
    }

    /// Shows a judged trace of the client; a stream that is opened again repeats the last ones.
    private mutating func takeTrace(_ members: JSONTree) {
        guard let number = members["number"].unsigned, number > traceNumber else { return }
        traceNumber = number
        let verdict = members["trace"]["verdict"]
        show(Verdict(ofTrace: number, verdict, findingLimit: Self.findingLimit))
    }

    // MARK: Showing

    private mutating func show(_ lines: [String], of entry: JournalEntry) {
        guard held != nil else { return screen.print(lines, of: entry) }
        held?.append((lines, entry))
        if held?.count == Self.heldLimit { showHeld() }
    }

    private mutating func showHeld() {
        for (lines, entry) in held ?? [] { screen.print(lines, of: entry) }
        held = nil
    }

    private mutating func showHidden() {
        for (_, verdict) in hidden.sorted(by: { $0.key < $1.key }) { show(verdict) }
        hidden = [:]
    }

    private func show(_ verdict: Verdict) {
        guard !isJSON else { return }
        for (index, line) in verdict.lines.enumerated() {
            printNotice(line) { index > 0 ? $0 : verdict.isFailure ? screen.style.bad($0) : screen.style.good($0) }
        }
    }

    private func printNotice(_ text: String, _ paint: (String) -> String) {
        if !isJSON { screen.printNotice(text, paint) }
    }

    private func printJSON(_ event: StreamedEvent) {
        if event.name.isEmpty, isOnce, let number = UInt64(event.lastID), number > newest { return }
        let data = PrintableJSON.escape(String(decoding: event.data, as: UTF8.self))
        let isEntry = event.name.isEmpty
        screen.output.line(isEntry ? data : "{\"event\":\"\(PrintableText.sanitize(event.name))\",\"data\":\(data)}")
    }

    /// A verdict of the wire on one case, as lines.
    private struct Verdict {
        /// The name of the case; empty for a scenario without cases.
        let name: String
        let lines: [String]
        let isFailure: Bool

        private static let failures: Set = ["fail", "setup-failed", "crash", "hang"]

        init(_ members: JSONTree, findingLimit: Int) {
            let name = members["case"].string ?? ""
            self.init(
                name, title: name.isEmpty ? "verdict" : name, word: members["verdict"].string, members,
                findingLimit: findingLimit)
        }

        /// The verdict of a trace, which has the members of an exam's record (Docs/use/records.md).
        init(ofTrace number: UInt64, _ members: JSONTree, findingLimit: Int) {
            let name = members["name"].string ?? ""
            self.init(
                name, title: "trace \(number) judged\(name.isEmpty ? "" : ", \(name)")",
                word: members["outcome"].string,
                members, findingLimit: findingLimit)
        }

        private init(_ name: String, title: String, word: String?, _ members: JSONTree, findingLimit: Int) {
            self.name = name
            let word = word ?? "?"
            isFailure = Self.failures.contains(word)
            let whose = title + (members["kind"].string.map { " (\($0))" } ?? "")
            // A record of an exam has the sentence as its reason.
            let sentence = members["sentence"].string ?? members["reason"].string
            let findings = members["findings"].items.compactMap { $0["plain"].string ?? $0["sentence"].string }
                .filter { $0 != sentence }
            let reason = sentence.map { ": \($0)" } ?? ""
            var lines = isFailure ? ["— \(word)\(reason)", "    \(whose)"] : ["— \(whose): \(word)\(reason)"]
            lines += findings.prefix(findingLimit).map { "    \($0)" }
            if findings.count > findingLimit {
                lines.append("    and \(Plural.count(findings.count - findingLimit, "more finding"))")
            }
            self.lines = lines
        }
    }
}

/// JSON with escapes for characters that ``PrintableText`` would replace, so that it moves no cursor; they occur in
/// strings only.
enum PrintableJSON {
    static func escape(_ line: String) -> String {
        guard line.utf8.contains(where: { $0 >= 0x7F }) else { return line }
        var result = ""
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
