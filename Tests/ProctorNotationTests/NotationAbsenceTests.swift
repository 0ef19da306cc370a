import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// Expressions for lanes that cannot tell every event.
struct NotationAbsenceTests {
    static func accepts(_ text: String, _ events: String, missing: Set<String>) throws -> Bool {
        let notation = try Notation(parsing: text, lane: .task).allowingAbsence { missing.contains($0.name) }
        let symbols = events.split(separator: " ").map { word in
            let parts = word.split(separator: "(")
            return TraceEventSymbol(String(parts[0]), parts.count == 2 ? String(parts[1].dropLast()) : nil)
        }
        return notation.diagnosis(of: symbols) == nil
    }

    @Test(arguments: [
        ("metrics complete(ok)", "complete(ok)", true), ("metrics complete(ok)", "metrics complete(ok)", true),
        ("metrics complete(ok)", "metrics", false), ("metrics complete(ok)", "metrics metrics complete(ok)", false),
        ("metrics+ complete(ok)", "complete(ok)", true), ("metrics{2} complete(ok)", "complete(ok)", true),
        ("metrics{2} complete(ok)", "metrics complete(ok)", true),
        ("metrics{2} complete(ok)", "metrics metrics metrics complete(ok)", false),
        ("(data metrics)+ complete(ok)", "data data complete(ok)", true),
        ("(data metrics)+ complete(ok)", "metrics complete(ok)", false),
        ("(data & metrics) complete(ok)", "data complete(ok)", true),
        ("(data | metrics) complete(ok)", "complete(ok)", true),
        ("metrics", "", true), ("data ... metrics", "data", true),
    ])
    func `events that cannot come are optional`(text: String, events: String, isAccepted: Bool) throws {
        #expect(try Self.accepts(text, events, missing: ["metrics"]) == isAccepted)
        // No other events are optional.
        #expect(
            try Self.accepts(text, events, missing: [])
                == (isAccepted && text == "metrics complete(ok)" && events == "metrics complete(ok)"))
    }

    @Test func `the text of the expression is unchanged`() throws {
        let notation = try Notation(parsing: "metrics{2} complete(ok)", lane: .task)
        let other = notation.allowingAbsence { $0.name == "metrics" }
        #expect(other == notation && other.eventNames == notation.eventNames)
        let diagnosis = try #require(other.diagnosis(of: [TraceEventSymbol("data")]))
        #expect(
            diagnosis.description == """
                  matched : (nothing)
                  then got: data   [event 1]
                  wanted  : metrics or complete(ok)
                  in      : metrics{2} complete(ok)
                            ^          ^
                """)
    }

    @Test(arguments: [
        ("data fileReady", false), ("data (fileReady | complete)", true), ("data fileReady?", true),
        ("data fileReady*", true), ("data fileReady{2}", false), ("data fileReady{0,2}", true),
        ("data & fileReady", false), ("...", true), ("data (fileReady | fileReady complete)", false),
        ("(data fileReady)? complete", true), ("data", true),
    ])
    func `whether a lane can do without an event is seen in the expression`(text: String, isPossible: Bool) throws {
        let notation = try Notation(parsing: text, lane: .task)
        #expect(notation.isPossible(without: ["fileReady"]) == isPossible)
        #expect(notation.isPossible(without: []))
    }
}

struct NotationCountingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let fewest: Int
        let most: Int?
        var testDescription: String { text }
    }

    static let rows = [
        Row(text: "complete(ok)", fewest: 0, most: 0),
        Row(text: "data", fewest: 1, most: 1),
        Row(text: "data+ complete(ok)", fewest: 1, most: nil),
        Row(text: "data? data{2,3}", fewest: 2, most: 4),
        Row(text: "(response(200) data){4} complete", fewest: 4, most: 4),
        Row(text: "data data | response(200)", fewest: 0, most: 2),
        Row(text: "data & (data | complete(ok))", fewest: 1, most: 2),
        Row(text: "(data* response){2}", fewest: 0, most: nil),
        Row(text: "(complete(ok))* response", fewest: 0, most: 0),
        Row(text: "response ... complete", fewest: 0, most: nil),
        // Counts that multiply beyond every number are without end.
        Row(text: "((((data{1000000}){1000000}){1000000}){1000000})?", fewest: 0, most: nil),
    ]

    @Test(arguments: rows) func `the bounds of an event are those of its expression`(row: Row) throws {
        let notation = try Notation(parsing: row.text, lane: .task)
        #expect(notation.fewestOccurrences(of: "data") == row.fewest)
        #expect(notation.mostOccurrences(of: "data") == row.most)
    }
}
