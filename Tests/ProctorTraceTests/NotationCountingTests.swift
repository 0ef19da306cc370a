import ProctorTrace
import Testing

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
