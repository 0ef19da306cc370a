import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct FinderTests {
    private static let good = "summary: s\nexchanges: [{ request: GET /, reply: { status: 200 } }]\n"

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
