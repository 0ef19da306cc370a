import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct FinderTests {
    private static let good = "summary: s\nexchanges: [{ request: GET /, reply: { status: 200 } }]\n"

    private func texts(_ result: LoadResult, _ folder: TestFolder) -> [String] {
        result.diagnostics.map { $0.description.replacing(folder.path, with: "$FOLDER") }
    }

    @Test func `a file by several names is loaded once, by the first`() throws {
        let folder = try TestFolder()
        for name in ["f/b.yaml", "f/g/c.yaml", "z/e.yaml", "f/_n.yaml"] { try folder.write(Self.good, to: name) }
        try folder.link("f/a.yaml", to: "b.yaml")
        try folder.link("f/d.yaml", to: "b.yaml")
        try folder.link("f/g/k.yaml", to: "../b.yaml")
        try folder.link("f/h.yaml", to: "g/c.yaml")
        try folder.link("f/i.yaml", to: "../z/e.yaml")
        try folder.link("f/m.yaml", to: "_n.yaml")
        try folder.link("f/o.yaml", to: "_n.yaml")
        try folder.link("zz", to: "f/g")
        #expect(ScenarioLoader.ids(in: [folder.path]) == ["f/a", "f/g/c", "f/i", "f/m"])
        let named = ScenarioLoader.ids(in: ["\(folder.path)/f/g/c.yaml", folder.path, "\(folder.path)/f/b.yaml"])
        #expect(named == ["c", "f/a", "f/i", "f/m"])
    }

    @Test func `one scenario is loaded by its id, and no other file is read`() throws {
        let folder = try TestFolder()
        try folder.write(Self.good, to: "a/b.yaml")
        try folder.write("summary: [", to: "a/broken.yaml")
        let found = ScenarioLoader.load("a/b", in: [folder.path])
        #expect(found.scenario?.id == "a/b" && found.diagnostics.isEmpty)
        let broken = ScenarioLoader.load("a/broken", in: [folder.path])
        #expect(broken.scenario == nil && broken.diagnostics.count == 1)
        let none = ScenarioLoader.load("a/c", in: [folder.path])
        #expect(none.scenario == nil && none.diagnostics.isEmpty)
        #expect(ScenarioLoader.ids(in: [folder.path]) == ["a/b", "a/broken"])
    }

    @Test func `one scenario is found as among all, in no folder that is not on its way`() throws {
        let folder = try TestFolder()
        for name in ["a/b/c.yml", "a/b.yaml", "a.yaml", "b/a/b.yaml", "a/_b.yaml", "a/.c.yaml", "z.yaml"] {
            try folder.write(Self.good, to: name)
        }
        try folder.link("linked", to: "b")
        try folder.link("y.yaml", to: "z.yaml")
        for id in ScenarioLoader.ids(in: [folder.path]) + ["z", "linked/a/b"] {
            #expect(ScenarioLoader.load(id, in: [folder.path]).scenario?.id == id)
        }
        for id in [
            "", "a/", "/a", "a//b", "a/_b", "_b", "a/.c", ".c", "b/a", "a/b/c.yml", "../\(folder.path)/a", "b/../a",
        ] {
            let found = ScenarioLoader.load(id, in: [folder.path])
            #expect(found.scenario == nil && found.diagnostics.isEmpty, "\(id)")
        }
        let paths = ["\(folder.path)/a/b.yaml", "\(folder.path)/b", folder.path]
        #expect(ScenarioLoader.load("b", in: paths).scenario?.location.file == paths[0])
        #expect(ScenarioLoader.load("a/b", in: paths).scenario?.location.file == "\(folder.path)/b/a/b.yaml")
    }

    @Test func `what is not there, empty or no fixture is told`() throws {
        let folder = try TestFolder()
        try folder.makeFolder("empty/below")
        try folder.write("x", to: "a.txt")
        try folder.link("dangling.yaml", to: "nowhere")
        let result = ScenarioLoader.load(paths: [
            "\(folder.path)/none", "\(folder.path)/empty", "\(folder.path)/a.txt", "/dev/null", folder.path,
        ])
        let wanted: [String] = [
            "$FOLDER/a.txt: error: a scenario's file name ends in .yaml or .yml, this one does not",
            "$FOLDER/dangling.yaml: error: is a symbolic link to nothing",
            "$FOLDER/empty: error: the folder holds no scenario; scenarios are files named *.yaml or *.yml",
            "$FOLDER/none: error: cannot be read: No such file or directory",
            "/dev/null: error: expected a regular file or a folder",
        ].sorted { $0.replacing("$FOLDER", with: folder.path) < $1.replacing("$FOLDER", with: folder.path) }
        #expect(texts(result, folder) == wanted)
    }

    @Test func `a path of lower rank takes the place of ids, and of what would share their addresses`() throws {
        let folder = try TestFolder()
        for name in [
            "own/a/b.yaml", "own/c.yaml", "own/d/e/f.yaml", "other/a/b.yaml", "other/c/d.yaml", "other/d/e.yaml",
            "other/g.yaml",
        ] {
            try folder.write(Self.good, to: name)
        }
        let paths = [FixturePath("\(folder.path)/other", rank: 1), FixturePath("\(folder.path)/own")]
        let files = ScenarioLoader.findFixtures(paths)
        #expect(files.diagnostics.isEmpty && files.ids == ["a/b", "c", "d/e/f", "g"])
        #expect(files.ids(ofRank: 1) == ["g"])
        #expect(files.replaced.map(\.id) == ["a/b", "c/d", "d/e"])
        #expect(files.replaced.first?.successor == "\(folder.path)/own/a/b.yaml")
        let one = ScenarioLoader.find("a/b", in: paths)
        #expect(one.ids == ["a/b"] && one.replaced.map(\.path) == ["\(folder.path)/other/a/b.yaml"])
        // What stands behind may hold nothing else.
        let twice = ScenarioLoader.findFixtures([
            FixturePath(folder.path + "/own"), FixturePath(folder.path + "/own", rank: 1),
        ])
        #expect(twice.diagnostics.isEmpty && twice.ids == ["a/b", "c", "d/e/f"])
    }

    @Test func `folders beyond a bound are not looked into, and what was walked is told`() throws {
        let folder = try TestFolder()
        for number in 0..<5 { try folder.write(Self.good, to: "\(number)/a.yaml") }
        func found(_ limit: Int) -> (ids: [String], messages: [String]) {
            let files = FixtureFinder.find([FixturePath(folder.path)], folderLimit: limit)
            return (files.ids, files.diagnostics.map(\.description))
        }
        // The folder itself is one of them.
        #expect(found(6) == ((0..<5).map { "\($0)/a" }, []))
        #expect(
            found(3) == (
                ["0/a", "1/a"],
                [
                    "\(folder.path): error: more than 3 folders stand below it, which is the bound; 2 scenarios were found "
                        + "in those; name the folder of the fixtures alone"
                ]
            ))
    }

    @Test func `symbolic links are followed, loops are not`() throws {
        let folder = try TestFolder()
        try folder.write(Self.good, to: "real/a.yaml")
        try folder.link("real/loop", to: "..")
        try folder.link("alias", to: "real")
        let result = ScenarioLoader.load(paths: [folder.path])
        #expect(result.isClean)
        #expect(result.scenarios.map(\.id) == ["alias/a"])
    }

    @Test func `a sidecar file is found beside the fixture and may not escape`() throws {
        let folder = try TestFolder()
        let outside = try TestFolder()
        try outside.write("secret", to: "secret.bin")
        try folder.write("four", to: "shared/in.bin")
        try folder.link("family/inside.bin", to: "../shared/in.bin", folderFirst: "family")
        try folder.link("family/outside.bin", to: "\(outside.path)/secret.bin")
        try folder.link("family/gone.bin", to: "nowhere")
        func fixture(_ name: String) -> String {
            "summary: s\nexchanges:\n  - request: GET /\n    reply: { status: 200, body: { file: \(name) } }\n"
        }
        try folder.write(fixture("inside.bin"), to: "family/a.yaml")
        try folder.write(fixture("outside.bin"), to: "family/b.yaml")
        try folder.write(fixture("gone.bin"), to: "family/c.yaml")
        try folder.write(fixture("."), to: "family/d.yaml")
        let result = ScenarioLoader.load(paths: [folder.path])
        #expect(result.scenarios.map(\.id) == ["family/a"])
        let found = texts(result, folder)
        #expect(found.count == 3)
        #expect(found.first?.hasPrefix("$FOLDER/family/b.yaml:4:41: error: the file \"outside.bin\" escapes") == true)
        #expect(found.dropFirst().first?.contains("\"gone.bin\" cannot be used: No such file") == true)
        #expect(found.last?.hasSuffix("the file \".\" is not a regular file") == true)
    }

    @Test func `a sidecar file of any size is not read`() throws {
        let folder = try TestFolder()
        try folder.write(
            "summary: s\nexchanges: [{ request: GET /, reply: { status: 200, body: { file: b } } }]\n", to: "a.yaml")
        try folder.makeHole("b", byteCount: 1 << 40)
        let scenario = try #require(ScenarioLoader.load(paths: [folder.path]).scenarios.first)
        guard case .structured(let reply)? = scenario.exchanges.first?.replies.first?.message,
            case .bytes(let source)? = reply.body.first
        else {
            Issue.record("the reply has a body")
            return
        }
        #expect(source.byteCount == 1 << 40)
    }

    @Test func `thousands of files are loaded by several threads as by one`() throws {
        let folder = try TestFolder()
        for index in 0..<600 {
            try folder.write(index % 100 == 99 ? "summary: s\n" : Self.good, to: "\(index % 7)/\(index).yaml")
        }
        let result = ScenarioLoader.load(paths: [folder.path])
        #expect(result.scenarios.count == 594)
        #expect(result.diagnostics.count == 6)
        #expect(result.scenarios.map(\.id) == result.scenarios.map(\.id).sorted())
    }
}
