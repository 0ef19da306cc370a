import ProctorBase
import ProctorDocument
import ProctorModules
import ProctorScript
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario
@testable import ProctorScripting

/// Scripts where a fixture is read: their text, their files and what is wrong with them.
struct ScriptReadingTests {
    init() { ServerModules.register() }

    private func load(_ reply: String, in folder: String? = nil) -> (Scenario?, [String]) {
        let yaml = "summary: s\nexchanges:\n  - request: GET /a\n    reply: \(reply)\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: "one", file: "one.yaml", folder: folder)
        return (scenario, diagnostics.map(\.description))
    }

    @Test func `a script is read from a file beside the fixture`() throws {
        let folder = try TestFolder()
        try folder.write("return { status = 200 }\n", to: "reply.lua")
        try folder.write("local a = 1\nreturn = a\n", to: "wrong.lua")
        let (scenario, messages) = load("{ script: reply.lua }", in: folder.path)
        #expect(messages == [] && scenario?.scripts.first?.name == "reply.lua")
        let (_, errors) = load("{ script: wrong.lua }", in: folder.path)
        #expect(errors == ["\(folder.path)/wrong.lua:2:8: error: unexpected symbol near '='"])
        let (other, _) = load("{ script: reply.lua }", in: folder.path)
        try folder.write("return { status = 201 }\n", to: "reply.lua")
        let (changed, _) = load("{ script: reply.lua }", in: folder.path)
        #expect(other?.fingerprint == scenario?.fingerprint && other?.fingerprint != changed?.fingerprint)
    }

    private func load(library: String, reply: String, in folder: String? = nil) -> (Scenario?, [String]) {
        let yaml = "summary: s\nlibrary: \(library)\nexchanges:\n  - request: GET /a\n    reply: \(reply)\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: "one", file: "one.yaml", folder: folder)
        return (scenario, diagnostics.map(\.description))
    }

    @Test func `libraries are texts, files or a list of them, and their content is the scenario's`() throws {
        let folder = try TestFolder()
        try folder.write("function page() end\n", to: "page.lua")
        let reply = "{ script: return page() }"
        let (one, messages) = load(library: "page.lua", reply: reply, in: folder.path)
        #expect(messages == [] && one?.libraries.map(\.name) == ["page.lua"])
        #expect(one?.exchanges.first?.replies.first?.script?.libraries.count == 1 && one?.scripts.count == 1)
        let (two, _) = load(library: "[page.lua, \"x = 1\"]", reply: reply, in: folder.path)
        #expect(two?.libraries.map(\.name) == ["page.lua", "one.yaml"])
        #expect(two?.libraries.allSatisfy { ($0.program as? LuaProgram)?.source.role == .library } == true)
        try folder.write("function page() x = 1 end\n", to: "page.lua")
        #expect(load(library: "page.lua", reply: reply, in: folder.path).0?.fingerprint != one?.fingerprint)
    }

    @Test func `tables are read with the words and messages of fixtures, and text is never late-bound`() throws {
        let script = try #require(load("{ script: return 1 }").0?.exchanges.first?.replies.first?.script)
        let table = ScriptValueSample.table
        let reply = try #require(script.script.program as? LuaProgram).tables.reply(table)
        guard case .structured(let message)? = reply.message else { return #expect(Bool(false)) }
        #expect(message.status == 200 && message.body.byteCount == 9)
        #expect(message.headers.map { $0.value.literalBytes } == [Array("{{now}}".utf8), [0xFF]])
    }

    @Test func `a table that was read leaves no reader behind`() throws {
        let reader = ScenarioReader(
            file: .inMemory("one", file: "one.yaml", folder: nil), sink: DiagnosticSink(),
            fingerprint: Fingerprint(of: []), literals: LiteralBudget(), originNames: ["main"])
        let source = SourceFile(madeAt: SourceLocation(file: "one.lua", line: 1, column: 1))
        let root = Node(.mapping([Node.Entry("status", Node(.scalar("200", .plain), madeAt: source))]), madeAt: source)
        weak var secondPass: SecondPass?
        let reply = try MadeNodes(of: reader).read { reader in
            let reply = reader.reply(root)
            // Each of them may hold the reader.
            #expect(!reader.secondPass.checks.isEmpty)
            secondPass = reader.secondPass
            return reply
        }
        #expect(reply != nil && secondPass == nil)
    }
}
