import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

struct DocumentErrorTests {
    @Test(.limit(minutes: 1)) func `a key that stands twice is found among very many`() {
        let keys = (0..<90_000).map { "k\($0): 1\n" }.joined()
        let document = Document.parse(Array((keys + "k80000: 2\n").utf8), file: "a.yaml")
        #expect(
            document.diagnostics.map(\.description) == [
                "a.yaml:90001:1: error: the key \"k80000\" stands here twice, first at 80001:1"
            ])
    }

    @Test(.limit(minutes: 1)) func `places on one long line of other characters than ASCII are right`() throws {
        let list = "[ü" + String(repeating: ",1", count: 90_000) + ", é, x]"
        let items = try #require(Document.parse(Array(list.utf8), file: "a.yaml").root?.items)
        #expect(items.count == 90_003)
        #expect(items[1].location.column == 5 && items[90_000].location.column == 5 + 2 * 89_999)
        #expect(items[90_002].location.column == list.utf8.count - 1)
    }

    @Test func `any bytes whatever give a root or a message`() {
        var seed: UInt64 = 1
        let alphabet = Array("a: -[]{}&*!|>'\"%@#,?\n\t\\é\u{0}".utf8) + [0xFF, 0x80]
        for _ in 0..<5000 {
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(seed >> 33) % alphabet.count])
            }
            let document = Document.parse(bytes, file: "a.yaml")
            #expect(document.root != nil || !document.diagnostics.isEmpty)
            for diagnostic in document.diagnostics where diagnostic.location.line > 0 {
                #expect(diagnostic.location.column > 0)
            }
        }
    }
}
