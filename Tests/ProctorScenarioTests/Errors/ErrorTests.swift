import ProctorDocument
import ProctorScenario
import Testing

struct ErrorTests {
    @Test(arguments: ErrorRow.all)
    func `each mistake is told with its place, what was expected and what to do`(row: ErrorRow) throws {
        let folder = try TemporaryFolder()
        let found = messages(row.yaml, folder: folder.path).map {
            $0.replacing(folder.path, with: "$FOLDER")
        }
        #expect(found == row.messages)
    }

    @Test func `a file with fifty mistakes reports fifty`() {
        var yaml = "summary: s\nexchanges:\n"
        for index in 0..<50 { yaml += "  - { request: GET /\(index), reply: { status: 200, colour: red } }\n" }
        let found = messages(yaml)
        #expect(found.count == 50)
        for (index, message) in found.enumerated() {
            #expect(message.hasPrefix("\(index + 3):\(index < 10 ? 46 : 47) unknown key \"colour\" in a reply"))
        }
    }

    @Test func `mistakes beyond the thousandth are counted`() {
        var yaml = "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, headers:\n"
        yaml += "[" + String(repeating: "a,", count: 1005) + "] } }]\n"
        let found = messages(yaml)
        #expect(found.count == 1001)
        #expect(found.last == "5 more errors are not shown")
    }

    @Test func `the errors of all files are reported at once, by file`() throws {
        let folder = try TemporaryFolder()
        try folder.write("summary: [\n", to: "b/broken.yaml")
        try folder.write("summary: s\n", to: "a.yaml")
        try folder.write("summary: s\nexchanges: [{ request: GET /, reply: { status: 200 } }]\n", to: "good.yaml")
        try folder.write("", to: "empty.yml")
        let result = ScenarioLoader.load(paths: [folder.path])
        #expect(result.scenarios.map(\.id) == ["good"])
        #expect(!result.isClean)
        #expect(
            result.diagnostics.map { $0.description.replacing(folder.path + "/", with: "") } == [
                #"a.yaml:1:1: error: a scenario needs the key "exchanges""#,
                "b/broken.yaml:2:1: error: expected a value, found the end of the file; "
                    + "check the brackets, or quote the value",
                "empty.yml: error: the file is empty",
            ])
    }

    @Test func `a message prints as a compiler's does`() {
        let (_, diagnostics) = ScenarioLoader.parse("sumary: s\nexchanges: []\n".bytes, id: "a", file: "x/a.yaml")
        #expect(
            diagnostics.first?.description
                == #"x/a.yaml:1:1: error: unknown key "sumary" in a scenario; did you mean "summary"?"#)
    }
}
