import Foundation
import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorTestSupport
import Testing

/// `Docs/results/cookies-and-urls.tsv`, a row for each case that a client does not simply pass, and the counts on
/// `Docs/clients/cookies.md`.
struct SurveyPage {
    static let path = "\(Checkout.path)/Docs/results/cookies-and-urls.tsv"
    static let countsPath = "\(Checkout.path)/Docs/clients/cookies.md"
    static let families = ["cookie/", "url/"]

    /// Of each client that the file tells of.
    let rows: [SurveyClient: [SurveyRow]]

    init(rows: [SurveyClient: [SurveyRow]]) { self.rows = rows }

    /// As it stands; empty where there is no file.
    init() {
        let text = (try? String(contentsOfFile: Self.path, encoding: .utf8)) ?? ""
        var rows: [SurveyClient: [SurveyRow]] = [:]
        for line in text.split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\t", maxSplits: 1)
            guard let client = SurveyClient(rawValue: String(cells[0])), let row = SurveyRow(line: cells[1]) else {
                continue
            }
            rows[client, default: []].append(row)
        }
        self.rows = rows
    }

    func row(_ id: String, _ client: SurveyClient) -> SurveyRow? { rows[client]?.first { $0.id == id } }

    /// The case to ask where one of a scenario is enough: the first in which the client departs, else the first of all.
    func sample(of scenario: Scenario, _ client: SurveyClient) -> String {
        let ids = scenario.cases.map { "\(scenario.id)#\($0.name)" }
        let departing: [SurveyRow.Word] = [.crashes, .hangs, .departs]
        return ids.first { id in row(id, client).map { departing.contains($0.word) } ?? false } ?? ids[0]
    }

    /// With those rows in place of what was told of the scenarios `asked`; in the order of all, and of no others.
    func with(
        _ new: [SurveyRow], of client: SurveyClient, asked: [String], among scenarios: [Scenario]
    ) -> SurveyPage {
        let isAsked = Set(asked)
        let found = scenarios.flatMap { scenario in
            let known = isAsked.contains(scenario.id) ? new : self.rows[client] ?? []
            return scenario.cases.compactMap { item in known.first { $0.id == "\(scenario.id)#\(item.name)" } }
        }
        return SurveyPage(rows: rows.merging([client: found]) { $1 })
    }

    /// The file.
    var text: String {
        "# client, case, what became of it, the first finding; Docs/clients/cookies.md\n"
            + SurveyClient.allCases.flatMap { client in
                (rows[client] ?? []).map { "\(client.rawValue)\t\($0.line)\n" }
            }.joined()
    }

    private static let (begin, end) = ("<!-- counts: begin -->\n", "<!-- counts: end -->")

    /// The page with the counts of these rows; nil where it has no place for them.
    func page(_ text: String, _ scenarios: [Scenario]) -> String? {
        guard let start = text.range(of: Self.begin)?.upperBound, let end = text.range(of: Self.end)?.lowerBound else {
            return nil
        }
        return text.replacingCharacters(in: start..<end, with: counts(scenarios))
    }

    private func counts(_ scenarios: [Scenario]) -> String {
        let cases = scenarios.flatMap { scenario in scenario.cases.map { ("\(scenario.id)#\($0.name)", $0.kind) } }
        var lines = ["| client | passes | departs | crashes | hangs | sometimes | open | – | observed |"]
        lines += ["|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
        for client in SurveyClient.allCases {
            let counts = (rows[client] ?? []).reduce(into: [:]) { $0[$1.word, default: 0] += 1 }
            let told = SurveyRow.Word.inColumns.map { String(counts[$0] ?? 0) }
            let quiet = cases.filter { row($0.0, client) == nil }
            let observed = quiet.count { $0.1 == .observes }
            let numbers = ([String(quiet.count - observed)] + told + [String(observed)]).joined(separator: " | ")
            lines.append("| \(client.rawValue) \(client.writtenFor) | \(numbers) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension SurveyRow.Word {
    /// As the page counts them.
    fileprivate static let inColumns: [Self] = [.departs, .crashes, .hangs, .sometimes, .open, .none]
}

/// What one client made of one case, where it did not simply pass: a line of `Docs/results/cookies-and-urls.tsv`.
struct SurveyRow: Sendable, Equatable {
    let id: String
    let word: Word
    /// One line, without what chance has given.
    let finding: String

    enum Word: String, Sendable, CaseIterable {
        case departs, crashes, hangs
        /// The result differs between sittings.
        case sometimes
        /// Judged in part, or not at all.
        case open
        /// Not asked: the client lacks what the case needs, or its adapter does.
        case none = "–"
    }

    init(id: String, word: Word, finding: String) {
        (self.id, self.word, self.finding) = (id, word, finding)
    }

    /// nil where the client passes, where the case asks for nothing, or where this system lacks what it needs.
    init?(_ verdict: CaseVerdict) {
        id = verdict.id.description
        switch verdict.outcome {
        case .pass, .observed, .skipped, .fixed: return nil
        case .lacks, .notInThisAdapter:
            word = .none
            finding = Self.settled(verdict.notJudged.first ?? "")
            return
        case .partly, .notJudged:
            word = .open
            finding = Self.settled(verdict.reason)
            return
        case .setupFailed(let reason):
            word = .departs
            finding = "set-up failed: \(Self.settled(reason))"
            return
        case .adapterError(let fault):
            word = .departs
            finding = "adapter error: \(Self.settled(fault.description))"
            return
        // A rule that the client breaks everywhere is no matter of this case.
        case .known where verdict.deviation == nil: return nil
        case .fail, .hang, .crash, .known: break
        }
        let failures = verdict.findings.filter { $0.weight == .failure && !Self.isOfEveryCase($0) }
        guard let first = failures.first else { return nil }
        word = failures.lazy.compactMap { Word(ending: $0.subject) }.first ?? .departs
        finding = Self.settled(first.sentence)
    }

    /// Without addresses, which are others each time, and without line breaks and tabs.
    static func settled(_ sentence: String) -> String {
        let text = sentence.replacing(/127\.\d+\.\d+\.\d+:\d+/, with: "{address}")
            .replacing(/\[::1\]:\d+/, with: "{address}")
            .replacing(/127\.\d+\.\d+\.\d+/, with: "{host}")
            .replacing(/after \d+(\.\d+)? (s|ms|milliseconds|seconds)/, with: "after a while")
            .replacing("\n", with: " ").replacing("\t", with: " ")
        return text.count > 200 ? "\(text.prefix(199))…" : text
    }

    /// URLSession on Linux tells no metrics at all (R41).
    private static func isOfEveryCase(_ finding: Finding) -> Bool { finding.rules == [RuleNumber(41)] }

    /// Whether a fresh sitting fits what the page says.
    func agrees(with other: SurveyRow?) -> Bool {
        if word == .sometimes { return true }
        guard let other, word == other.word else { return false }
        // What stands behind the mark is not the same each time, or is too much.
        return finding.hasSuffix("…") ? other.finding.hasPrefix(finding.dropLast()) : finding == other.finding
    }

    /// What several sittings of a case have in common; nil where all of them passed.
    static func common(to rows: [SurveyRow?]) -> SurveyRow? {
        guard let first = rows.lazy.compactMap({ $0 }).first else { return nil }
        guard rows.allSatisfy({ $0?.word == first.word }) else {
            return SurveyRow(id: first.id, word: .sometimes, finding: first.finding)
        }
        let shared = rows.compactMap { $0?.finding }.reduce(first.finding) { $0.commonPrefix(with: $1) }
        guard shared != first.finding else { return first }
        return SurveyRow(id: first.id, word: first.word, finding: "\(shared)…")
    }

    var line: String { "\(id)\t\(word.rawValue)\t\(finding)" }

    init?(line: Substring) {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 3, let word = Word(rawValue: cells[1]) else { return nil }
        self.init(id: cells[0], word: word, finding: cells[2])
    }
}

extension SurveyRow.Word {
    fileprivate init?(ending subject: Finding.Subject) {
        guard case .ending(let ending) = subject else { return nil }
        if case .crashed = ending { self = .crashes } else { self = .hangs }
    }
}

/// A client whose cookies and URLs are looked at, in the order of the file.
enum SurveyClient: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case curl
    case requests
    case aiohttp
    case urlSession = "URLSession"

    var testDescription: String { rawValue }

    /// The versions that the rows are written for.
    var writtenFor: String {
        switch self {
        case .curl: "7.88"
        case .requests: "2.28"
        case .aiohttp: "3.8"
        case .urlSession: "6.3.1"
        }
    }

    /// Nothing of the user's; curl is the system's own where there is one.
    static let environment = ["PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "HOME": "/tmp"]

    var command: [String] {
        let folder = "\(Checkout.path)/clients/adapters"
        return switch self {
        case .curl: Self.python + ["\(folder)/curl"]
        case .requests: Self.python + ["\(folder)/requests"]
        case .aiohttp: Self.python + ["\(folder)/aiohttp", "--unsafe-cookies"]
        case .urlSession: [BuiltProduct.urlSessionClient]
        }
    }

    /// The system's own has the packages that `Scripts/install-packages.sh test-all` installs.
    private static let python =
        (FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
            ? ["/usr/bin/python3"] : ["/usr/bin/env", "python3"])
        + ["-E", "-s", "-B"]

    var adapter: Adapter { Adapter(command: command, environment: Self.environment) }

    /// nil where it is not installed.
    func version() async throws -> String? {
        let outcome = try await ChildProcess.run(
            command.filter { $0 != "--unsafe-cookies" } + ["--version"], environment: Self.environment)
        guard outcome.status == 0 else { return nil }
        return outcome.out.split(whereSeparator: \.isWhitespace).last.map(String.init)
    }
}
