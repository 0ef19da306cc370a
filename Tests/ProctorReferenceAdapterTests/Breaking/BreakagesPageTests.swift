import Foundation
import ProctorEvents
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing
import proctor

/// Docs/inside/breakages.md, mistakes.md, mistakes-http2.md or mistakes-http3.md has a row for each breakage, and the case of each row shows it, by the program; one row in eight is
/// asked, or every one where everything is asked.
///
/// `make exam-breaks` holds the rest of the pages against whole families.
@Suite(.serialized, .limit(minutes: 10))
struct BreakagesPageTests {
    struct Row: Sendable, Hashable, CustomTestStringConvertible {
        let label: String
        /// The API, `download`, or with a platform, `download@reference-guide`.
        let shape: String
        /// `nothing`, or the case that shows it.
        let proof: String
        /// Of the wire: what says it.
        let signs: String?

        var api: String { String(shape.prefix { $0 != "@" }) }
        var platform: String { shape == api ? "reference" : String(shape.dropFirst(api.count + 1)) }
        var arguments: [String] { platform == "reference-guide" ? ["--refused-download", "deliver"] : [] }

        var testDescription: String { "\(label) as \(shape) in \(proof)" }

        /// nil for what is no row.
        init?(_ line: Substring) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            func unquoted(_ text: String) -> String { text.replacing("`", with: "") }
            switch cells.count {
            case 7 where cells[0] != "rule":
                (proof, signs) = (unquoted(cells[5]), nil)
            case 5 where cells[0] != "word":
                (proof, signs) = (unquoted(cells[3]), cells[4])
            default: return nil
            }
            guard !cells[0].hasPrefix("-") else { return nil }
            label = unquoted(cells[0])
            shape = cells[1]
        }
    }

    private static let folder = URL(filePath: #filePath).appending(path: "../../../..").standardized

    private static func text(_ path: String) -> String {
        (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
    }

    static let rows: [Row] = ["breakages", "mistakes", "mistakes-limits", "mistakes-http2", "mistakes-http3"].map {
        text("Docs/inside/\($0).md")
    }.joined()
        .split(separator: "\n")
        .compactMap { Row($0) }

    /// Breakages and APIs of the plan, in its order.
    private static let plan: [[String]] = text("Scripts/breakages.tsv").split(separator: "\n").filter {
        !$0.hasPrefix("#")
    }.flatMap { line in
        let fields = line.split(separator: "\t")
        return fields[1].split(separator: " ").map { [String(fields[0]), String($0)] }
    }

    /// Rules that findings name beside that of the variant, by its label: none of them is a rule that a monitor finds broken.
    private static let consequences: [String: Set<RuleNumber>] = [
        // The checks of content name the rule about the fact; no monitor sees what the server sent.
        "data-of-another-task": [RuleNumber(30)],
        "h2-metrics-say-http-1.1": [RuleNumber(41)],
        "h3-metrics-say-http-1.1": [RuleNumber(41)],
        // The progress is made up, and so is the length of the body.
        "R24": [RuleNumber(23)],
        // The pieces behind the last response are no longer those that the result has.
        "R26": [RuleNumber(30)],
        // The early byte is made up.
        "R28": [RuleNumber(30)],
        // What is told of the progress before the resumption counts from another offset.
        "R36": [RuleNumber(34)],
        // What comes behind the end of the load is no part of its result.
        "R40": [RuleNumber(30)],
        // Which of two threads is first decides whether the redirect that the other delegate is told of counts as unanswered.
        "R55": [RuleNumber(8)],
        // The server sent one reply, which the check of content says by R26.
        "R71": [RuleNumber(26)],
        // The part behind the cancel is made up.
        "R74": [RuleNumber(30)],
        // A credential that stands in another field was not sent, and cannot have failed.
        "proxy-credential-in-the-other-field": [RuleNumber(17)],
        // The load waits for no answer about a redirect that no server asked for.
        "rewriting-told-as-a-redirect": [RuleNumber(8)],
        // What is announced is held against the next request, which is a part of R7 that only an exam can judge.
        "announces-another-url": [RuleNumber(7)],
        // The request is on the wire before its load is told to start.
        "starts-when-made": [RuleNumber(42)],
        // Bytes of a file are counted as they were sent.
        "decodes-what-it-may-not": [RuleNumber(34)],
        "resumes-a-byte-late": [RuleNumber(34)],
    ]

    @Test func `each breakage has a row for every API of the plan`() {
        #expect(Self.rows.map { [$0.label, $0.shape] } == Self.plan)
        var labels: [String] = []
        for row in Self.plan where labels.last != row[0] { labels.append(row[0]) }
        #expect(labels == Breakage.all.map(\.label))
        for row in Self.rows { #expect(ReferenceShape(rawValue: row.api) != nil, "\(row)") }
    }

    /// A build without libngtcp2 has no HTTP/3.
    private static let askable = rows.filter {
        !$0.label.hasPrefix("h3-") || ServerConfiguration.ofProgram.http3 != nil
    }

    @Test(arguments: Extent.of(askable, stride: 8)) func `the case of a row shows its breakage`(row: Row) async throws {
        let verdict = try await Self.verdict(of: row)
        let rule = Breakage.rules.first { $0.label == row.label }?.rule
        // A wrong credential may show in the callbacks, too, and then the row names the rule.
        let told =
            rule.map { [$0] } ?? row.signs?.split { " ,".contains($0) }.compactMap { RuleNumber(parsing: "\($0)") }
            ?? []
        #expect(verdict.brokenRules == told, "\(verdict)")
        let named = Self.consequences[row.label, default: []].union(told)
        for finding in verdict.findings { #expect(Set(finding.rules).isSubset(of: named), "\(verdict)") }
        guard let rule else {
            // What nothing forbids is only observed.
            let isObserved = row.signs?.hasPrefix("observed:") == true
            #expect(isObserved ? verdict.outcome == .observed : verdict.outcome.isFailure, "\(verdict)")
            #expect(!verdict.findings.isEmpty, "\(verdict)")
            return
        }
        #expect(verdict.outcome.isFailure, "\(verdict)")
        #expect(verdict.findings.contains { $0.weight == .failure && $0.rules == [rule] }, "\(verdict)")
    }

    private static func verdict(of row: Row) async throws -> CaseVerdict {
        let exam = try await ExamServer.shared.value
        let path = "clients/platforms/\(row.platform).yaml"
        let examiner = Examiner(
            server: exam.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--break", row.label, "--as", row.api] + row.arguments,
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: try #require(Platform.parse(Array(text(path).utf8), file: path).platform))
        let report = await ExamWalk(examiner).run(try CaseSelection([row.proof], among: exam.scenarios))
        return try #require(report.verdicts.first)
    }
}
