import Testing

@testable import ProctorScript

/// Texts that run before scripts, and whose globals the scripts see.
struct LibraryTests {
    /// What each script comes to, in one state behind the libraries; the failure of a library in place of all.
    private func outcomes(
        libraries: [String], _ scripts: [String], _ bounds: ScriptBounds = ScriptBounds()
    ) -> [String] {
        do throws(ScriptFailure) {
            let state = try ScriptState(bounds)
            for (index, text) in libraries.enumerated() {
                let source = ScriptSource(text: Array(text.utf8), file: "folder/\(index).lua", role: .library)
                try state.load(try state.compile(source), for: TrialHost())
            }
            var compiled: [ScriptState.Compiled] = []
            for text in scripts {
                compiled.append(try state.compile(ScriptSource(text: Array(text.utf8), file: "trial.lua")))
            }
            return compiled.map { describe(state.start($0, for: TrialHost())) }
        } catch {
            return [error.message]
        }
    }

    @Test func `scripts see what libraries have set, and a library what those before it have set`() {
        let libraries = ["function twice(n) return 2 * n end", "function four(n) return twice(twice(n)) end"]
        #expect(
            outcomes(libraries: libraries, ["return { n = four(3) }", "return { n = twice(4) }"]) == [
                #"{"n":12}"#, #"{"n":8}"#,
            ])
    }

    @Test func `a global of a script hides that of a library for this script alone`() {
        let found = outcomes(
            libraries: ["name = 'library'\nfunction own() return name end"],
            ["name = 'script'\nreturn { own(), name }", "return { own(), name }"])
        #expect(found == [#"["library","script"]"#, #"["library","library"]"#])
    }

    @Test func `a table of a library is the same for all scripts of the state`() {
        let found = outcomes(
            libraries: ["box = { n = 0 }"], ["box.n = box.n + 1\nreturn { n = box.n }", "return { n = box.n }"])
        #expect(found == [#"{"n":1}"#, #"{"n":1}"#])
    }

    @Test func `a function of a library takes steps, and looks at the request it is given`() {
        let found = outcomes(
            libraries: ["function ask(request) wait(1) end\nfunction method(request) return request.method end"],
            ["ask(request)", "return { m = method(request) }"])
        #expect(found == ["wait(1.0 seconds)", #"{"m":"GET"}"#])
    }

    @Test(arguments: [
        ("state.get('a')", "state.get"), ("connection.set('a', 'b')", "connection.set"),
        ("state.add('a')", "state.add"), ("state.take('a')", "state.take"),
        ("math.random(3)", "math.random"), ("send('x')", "send"), ("wait(1)", "wait"), ("stall()", "stall"),
    ])
    func `what is about a request is refused while a library is loaded`(_ row: (text: String, name: String)) {
        let wanted =
            "0.lua:1: '\(row.name)' can't be called while a library is loaded; call it in a function of the library"
        #expect(outcomes(libraries: [row.text], ["return { n = 1 }"]) == [wanted])
    }

    @Test(arguments: [
        ("a = request.path", "0.lua:1: attempt to index a nil value (global 'request')"),
        ("error('no')", "0.lua:1: no"), ("while true do end", "0.lua:1: the script runs more than 1000 instructions"),
        (
            "return { page = 1 }",
            "0.lua: the library returns a table, which nothing takes; what scripts use stands in its globals, "
                + "like function page(request) … end"
        ), ("coroutine.yield()", "0.lua: coroutine.yield stands outside of a coroutine"),
        ("count = select('#', ...)\nerror(count, 0)", "0.lua: 0"), ("do end\nreturn", "1"), ("return nil", "1"),
    ])
    func `an error of a library has its place, and a bound its name`(_ row: (text: String, wanted: String)) {
        var bounds = ScriptBounds()
        bounds.instructionCount = 1000
        let found = outcomes(libraries: [row.text], ["return { 1 }"], bounds)
        #expect(found == [row.wanted == "1" ? "[1]" : row.wanted])
    }

    @Test func `a mistake of the syntax has the place of the text itself`() {
        let source = ScriptSource(text: Array("x =\n  = 1".utf8), file: "a.lua", firstLine: 5, role: .library)
        #expect(source.mistake() == .init(line: 6, column: 3, sentence: "unexpected symbol near '='"))
    }
}
