import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

struct LimitTests {
    private func messages(_ yaml: String) -> [String] {
        Document.parse(Array(yaml.utf8), file: "a.yaml").diagnostics.map(\.description)
    }

    @Test(.limit(minutes: 5))
    func `four megabytes of brackets are refused at once`() {
        #expect(messages(String(repeating: "[", count: 4 * 1024 * 1024)).count == 1)
        #expect(messages(String(repeating: "{a: ", count: 1024 * 1024)).count == 1)
    }
}
