public import ProctorDocument
import ProctorEvents
public import ProctorRules

extension Platform {
    /// Reads `clients/platforms/<name>.yaml`; a file with an error gives no platform.
    ///
    /// Keys that a file leaves out have the values of the neutral platform. `file` is the name in messages.
    ///
    ///     platform: corelibs-6.3
    ///     redirectLimit: 20
    ///     metrics: required
    ///     families: [sessionData, sessionDownload, sessionHandler]
    ///     lacks: [trust-question]
    ///     rules: { R31: failure }
    public static func parse(_ bytes: [UInt8], file: String) -> (platform: Platform?, diagnostics: [Diagnostic]) {
        let (model, diagnostics) = Document.read(bytes, file: file) { PlatformReader(sink: $1).platform($0) }
        return (model, diagnostics)
    }
}

/// Builds a platform from the nodes of its file, and reports every error.
private struct PlatformReader {
    let sink: DiagnosticSink

    private static let keys = [
        "platform", "redirectLimit", "metrics", "informational", "cancelledChallenge", "nilRedirectOfDownload",
        "redirectBody", "silentRetry", "uploadTotals", "legacyCancel", "families", "lacks", "rules",
    ]
    private static let redirectLimits = 0...1_000

    func platform(_ root: Node) -> Platform? {
        guard let reader = MappingReader(root, "a platform", keys: Self.keys, sink: sink) else { return nil }
        guard let name = reader.required("platform").flatMap({ sink.nonEmptyText($0, "the platform's name") }) else {
            return nil
        }
        var platform = Platform(name: name)
        platform.redirectLimit = reader["redirectLimit"].flatMap {
            sink.integer($0, "a redirect limit", in: Self.redirectLimits)
        }
        read(reader["metrics"], "a promise of metrics", into: &platform.metrics)
        read(reader["nilRedirectOfDownload"], "an effect of a nil redirect", into: &platform.refusedDownloadRedirect)
        read(reader["redirectBody"], "a fate of the body", into: &platform.redirectBody)
        read(reader["uploadTotals"], "a way of counting", into: &platform.uploadTotals)
        read(reader["legacyCancel"], "an effect of cancel", into: &platform.legacyCancel)
        read(reader["informational"], "a switch", into: &platform.reportsInformational)
        read(reader["silentRetry"], "a switch", into: &platform.retriesSilently)
        if let node = reader["cancelledChallenge"], let outcome = outcome(node) {
            platform.cancelledChallengeOutcome = outcome
        }
        if let node = reader["families"] { platform.families = families(node) }
        if let node = reader["lacks"] {
            let words = sink.texts(node, "an ability", limit: Ability.allCases.count)
            platform.lacks = Set(words.compactMap { sink.choice($0.node, "an ability", among: Ability.self) })
        }
        if let node = reader["rules"] { platform.weights = weights(node) }
        return platform
    }

    private func read<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node?, _ what: String, into value: inout Choice
    ) { if let node, let choice = sink.choice(node, what, among: Choice.self) { value = choice } }

    private func read(_ node: Node?, _ what: String, into value: inout Bool) {
        if let node, let flag = sink.boolean(node, what) { value = flag }
    }

    /// The name of an error, as `complete(…)` shows it.
    private func outcome(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "the name of an error") else { return nil }
        guard text != "ok", text != "error" else {
            sink.report(node, "\(quoted(text)) is not the name of one error; write cancelled")
            return nil
        }
        return text
    }

    private func families(_ node: Node) -> Set<CallbackFamily> {
        guard let items = sink.list(node, "families", limit: CallbackFamily.allCases.count) else { return [] }
        if items.isEmpty { sink.report(node, "a platform has at least one family") }
        return Set(items.compactMap { family($0) })
    }

    /// A family by its name or its short code.
    private func family(_ node: Node) -> CallbackFamily? {
        guard let text = sink.text(node, "a family") else { return nil }
        if let family = CallbackFamily(named: text) { return family }
        // Text of two letters is compared with short codes only.
        let names = CallbackFamily.allCases.map(text.utf8.count == 2 ? \.shortCode : \.rawValue)
        sink.report(node, "unknown family \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names))
        return nil
    }

    private func weights(_ node: Node) -> [RuleNumber: RuleWeight] {
        if node.isNull { return [:] }
        guard let entries = node.entries else {
            sink.report(node, "expected rules as a mapping from number to weight, found \(node.found)")
            return [:]
        }
        var weights: [RuleNumber: RuleWeight] = [:]
        for entry in entries {
            guard let number = RuleNumber(parsing: entry.key), Rules.rule(number) != nil else {
                sink.report(
                    entry.keyNode, "unknown rule \(quoted(entry.key))",
                    hint: "rules are \(Rules.span)")
                continue
            }
            if let weight = sink.choice(entry.value, "a weight", among: RuleWeight.self) { weights[number] = weight }
        }
        return weights
    }
}
