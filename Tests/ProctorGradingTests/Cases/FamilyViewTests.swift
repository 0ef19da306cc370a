import Foundation
import ProctorEvents
import ProctorNotation
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorRules

/// One expression holds for several families: what each may tell besides, leave unsaid or never tell.
struct FamilyViewTests {
    @Test func `the page on expressions says what is taken out and what counts as seen`() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Docs/format/expressions.md")
            .standardized
        var rows: [String: [Set<String>]] = [:]
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.range(of: "| family | also removed | counts as seen |"))
        for line in text[table.upperBound...].split(separator: "\n").prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { cell in cell.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
            }
            guard cells.count == 3, cells[0].count == 1, CallbackFamily(rawValue: cells[0][0]) != nil else { continue }
            rows[cells[0][0]] = cells.dropFirst().map { Set($0) }
        }
        #expect(
            Set(rows.keys) == [
                "connection", "connectionSync", "connectionQueued", "connectionDownload", "download", "urlProtocol",
                "sequence",
            ])
        for family in CallbackFamily.allCases {
            // No task of URLSession hears of a rewritten request.
            let row = rows[family.rawValue] ?? [[], family.isOfTasks ? ["canonicalize"] : []]
            #expect(Set(family.besides.map(\.rawValue)) == row[0], "\(family)")
            #expect(family.unreported == row[1], "\(family)")
        }
    }

    @Test func `the first question for a stream is not asked by a connection, and every later one is`() throws {
        let wanted = try Notation(parsing: "needBodyStream redirect(307) needBodyStream response(200)", lane: .task)
        for (trace, asksOnlyAgain, isRight) in [
            ("needBodyStream redirect(307) needBodyStream response(200)", false, true),
            ("needBodyStream redirect(307) needBodyStream response(200)", true, true),
            ("redirect(307) needBodyStream response(200)", false, false),
            ("redirect(307) needBodyStream response(200)", true, true),
            ("redirect(307) response(200)", true, false),
        ] {
            let events = try TraceScript.events(trace, family: .connection)
            var view = FamilyView(load: EventList(events), of: .connection, ignoring: [], isCancelled: false)
            view.asksOnlyAgain = asksOnlyAgain
            #expect(try (view.diagnosis(of: wanted, ambient: nil) == nil) == isRight, "\(trace)")
        }
    }

    @Test func `a request without a delegate is judged by its result, and not by what a delegate is told`() throws {
        for family in [CallbackFamily.connectionSync, .connectionQueued] {
            let view = FamilyView(load: EventList([]), of: family, ignoring: [], isCancelled: false)
            #expect(try view.diagnosis(of: try Notation(parsing: "bodySent metrics", lane: .task), ambient: nil) == nil)
            let redirect = try Notation(parsing: "redirect(302)", lane: .task)
            #expect(view.reasonNotToJudge(redirect)?.contains("which has no redirect") == true)
        }
    }

    // MARK: Steps

    // MARK: Facts

    // MARK: Edges
}
