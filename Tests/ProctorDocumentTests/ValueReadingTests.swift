import ProctorBase
import ProctorDocument
import Testing

struct ValueReadingTests {
    @Test func `long and unprintable text is cut and escaped in messages`() {
        #expect(quoted("a\n\t\r\"\u{1}é") == #""a\n\t\r\"\x01é""#)
        #expect(quoted(String(repeating: "x", count: 61)) == "\"" + String(repeating: "x", count: 60) + "…\"")
    }

    @Test func `a sink sorts by place, drops repetitions and is full behind its limit`() {
        let sink = DiagnosticSink()
        for line in [3, 1, 3, 2] {
            sink.report(SourceLocation(file: "f", line: line, column: 1), "x")
        }
        #expect(sink.sorted().map(\.location.line) == [1, 2, 3])
        for line in 4..<DiagnosticSink.limit { sink.report(SourceLocation(file: "f", line: 9, column: line + 1), "y") }
        #expect(!sink.isFull)
        sink.report(SourceLocation(file: "f", line: 10, column: 1), "z")
        #expect(sink.isFull && sink.diagnostics.count == DiagnosticSink.limit)
        #expect(
            sink.sorted().last?.description
                == "f: error: reading stops after 100 mistakes, so the rest of the file was not looked at; mend these first"
        )
    }
}
