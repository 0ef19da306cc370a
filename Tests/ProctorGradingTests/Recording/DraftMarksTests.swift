import Testing

@testable import ProctorGrading

/// Marks in place of a run's URLs.
struct DraftMarksTests {
    private let marks = DraftMarks([
        ("http://127.0.0.1:80", "{{base}}"), ("http://127.0.0.1:8001", "{{origin.b}}"), ("", "{{none}}"),
    ])

    @Test(arguments: [
        ("http://127.0.0.1:80/a http://127.0.0.1:80", "{{base}}/a {{base}}"),
        ("http://127.0.0.1:8001/", "{{origin.b}}/"), ("http://127.0.0.1:80012", "http://127.0.0.1:80012"), ("", ""),
        ("x", "x"),
    ]) func `a URL is replaced where it is whole`(text: String, expected: String) {
        #expect(marks.text(Array(text.utf8)) == expected)
        #expect(marks.areIn(Array(text.utf8)) == (text != expected))
    }

    @Test(arguments: [[0xFF], [0x00], [0x61, 0x1B], Array("http://127.0.0.1:80 {{".utf8)] as [[UInt8]])
    func `what is no text, or has braces of its own, has no marks`(bytes: [UInt8]) {
        #expect(marks.text(bytes) == nil && !marks.areIn(bytes))
    }
}
