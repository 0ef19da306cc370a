import ProctorBase
import Testing

@testable import ProctorScript

@Suite struct ScriptTests {
    @Test func `a step gives the script what it is resumed with`() throws {
        let source = ScriptSource(
            text: Array("local a = read(3)\nlocal b = read(4)\nreturn { a .. '|', b }".utf8), file: "a.lua")
        let state = try ScriptState()
        var found: [ScriptStep] = []
        var outcome = state.start(try state.compile(source), for: TrialHost())
        var results: [ScriptValue] = [.text("abc"), .none]
        while case .step(let step, let call) = outcome, !results.isEmpty {
            found.append(step)
            outcome = state.resume(call, with: results.removeFirst())
        }
        #expect(found == [.read(3), .read(4)])
        #expect(describe(outcome) == #"["abc|"]"#)
    }

    @Test func `what a step gives counts as memory of the script`() throws {
        var bounds = ScriptBounds()
        bounds.allocatedByteCount = 200_000
        let state = try ScriptState(bounds)
        let source = ScriptSource(text: Array("read(1)".utf8), file: "a.lua")
        guard case .step(_, let call) = state.start(try state.compile(source), for: TrialHost()) else {
            return #expect(Bool(false))
        }
        let outcome = state.resume(call, with: .text([UInt8](repeating: 0, count: 400_000)))
        #expect(describe(outcome) == "a.lua: the script allocates more than 200000 bytes")
    }

    @Test(arguments: [
        ("return { status = 201, body = request.method, headers = { B = 1, A = 'x' } }", "201 A=x B=1 GET"),
        ("return { status = 200, body = request.header['HOST'] }", "200 a.example"),
        ("return rawequal(request.header, request.header)", "true"),
        ("return request.nothing == nil and request[1] == nil and request[{}] == nil", "true"),
        (
            "return { status = 200, framing = 'chunked', body = { 'a', { do_ = 1.5 } } }",
            "{\"body\":[\"a\",{\"do_\":1.5}],\"framing\":\"chunked\",\"status\":200}"
        ),
        ("return nil", "nothing"), ("return request.method == 'GET'", "true"),
        ("local x\nreturn x.y", "trial.lua:2: attempt to index a nil value (local 'x')"),
        ("error('no')", "trial.lua:1: no"), ("error({})", "trial.lua: the error is a table, not a text"),
        ("return 5", "trial.lua: the script returns a number; a reply is a table like { status = 200, body = \"…\" }"),
        ("return {\n  a = = 1 }", "2:7: unexpected symbol near '='"),
        ("x = 1 return { status = 200, body = x .. '' }", "200 1"),
        ("send('a')", "send([97])"), ("wait(0.5)", "wait(0.5 seconds)"),
        ("close{ abrupt = true }", "close(abrupt: true)"),
        ("coroutine.yield()", "trial.lua: coroutine.yield stands outside of a coroutine"),
        (
            "coroutine.wrap(function() send('x') end)()",
            "trial.lua:1: 'send' can't be called in a coroutine of the script's own"
        ),
    ])
    func `a script comes to its answer, its step or its error`(_ row: (text: String, wanted: String)) {
        #expect(outcome(of: row.text) == row.wanted)
    }

    @Test(arguments: [
        (
            "json.encode{ a = json.decode('[1,2,{\"x\":null,\"y\":1.5}]'), b = {}, c = json.array{} }",
            #"{"a":[1,2,{"x":null,"y":1.5}],"b":{},"c":[]}"#
        ),
        (
            "json.encode({ a = { 1, {} }, b = {}, c = json.array() }, { indent = 2 })",
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {},\n  \"c\": []\n}"
        ),
        ("json.encode('é\u{1F600}\\127~', { ascii = true })", #""\u00e9\ud83d\ude00\u007f~""#),
        ("json.encode('\\8\\12', {}) .. json.encode('é')", #""\b\f""é""#),
        ("json.encode('\\1\"\\xff')", "\"\\u0001\\\"\u{FFFD}\""), ("json.decode('\"\\\\ud83d\\\\ude00\"')", "😀"),
        ("base64.encode('abc') .. base64.decode('YWJj')", "YWJjabc"), ("hash.hex(hash.md5('ab'))", "6202"),
        ("hash.crc32('123456789') .. ''", "3421780262"), ("time.now() .. '/' .. time.http(3)", "1700000000.5/date 3"),
        ("state.add('n', 2) + state.add('n') .. state.get('n')", "53"), ("tostring(connection.get('none'))", "nil"),
        (
            "(function() state.set('t', 'x') return state.take('t') .. tostring(state.take('t')) .. tostring(state.get('t')) end)()",
            "xnilnil"
        ),
        ("math.random(1, 16) .. '/' .. math.random(16)", "2/3"), ("tostring(time.monotonic())", "12.25"),
        ("select(2, xpcall(function() error('x') end, function(m) return m .. '!' end))", "trial.lua:1: x!"),
    ])
    func `the library of scripts computes`(_ row: (text: String, wanted: String)) {
        #expect(outcome(of: "return { status = 200, body = (\(row.text)) }") == "200 " + row.wanted)
    }

    @Test(arguments: [
        ("('hello world'):find('o w')", "5,7"), ("('hello'):find('l+')", "3,4"),
        ("('hello'):find('(l)(l)')", "3,4,l,l"),
        ("('a.b'):find('.', 1, true)", "2,2"), ("('hello'):match('^h(.-)o$')", "ell"),
        ("('x=1'):match('(%w+)=(%w+)')", "x,1"),
        ("('f(a(b)c)d'):match('%b()')", "(a(b)c)"), ("('THE (quick) fox'):find('%((%a+)%)')", "5,11,quick"),
        ("('hello'):match('()ll()')", "3,5"), ("('abcabc'):match('(a.c)%1')", "abc"),
        ("('THE fox'):gsub('%f[%a]%a', '<%0>')", "<T>HE <f>ox,2"),
        ("('hello world'):gsub('o', '0')", "hell0 w0rld,2"), ("('abc'):gsub('', '-')", "-a-b-c-,4"),
        ("('abc'):gsub('%w', '%0%0', 2)", "aabbc,2"), ("('x y'):gsub('(%w) (%w)', '%2 %1')", "y x,1"),
        ("('$a $b'):gsub('%$(%w)', { a = 1 })", "1 $b,2"),
        ("('ab'):gsub('.', function(c) return c:upper() end)", "AB,2"),
        ("('abc'):gsub('b*', '-')", "-a-c-,3"), ("('^a'):gsub('^%^', '')", "a,1"), ("('x'):find('')", "1,0"),
        ("('x'):find('', 3)", "nil"),
        ("('[]]'):match('[]]+')", "]]"), ("('a-z'):match('[a%-z]+')", "a-z"), ("('\\0a'):find('a')", "2,2"),
        ("pcall(string.find, 'a', '[')", "false,malformed pattern (missing ']')"),
        ("pcall(string.find, 'a', '%')", "false,malformed pattern (ends with '%')"),
        ("pcall(string.match, 'a', '(')", "false,unfinished capture"),
    ])
    func `patterns match as the manual of Lua says`(_ row: (text: String, wanted: String)) {
        let script = """
            local list = table.pack(\(row.text))
            for index = 1, list.n do list[index] = tostring(list[index]):gsub('^trial.lua:%d+: ', '') end
            local body = table.concat(list, ',')
            return { status = 200, body = body }
            """
        #expect(outcome(of: script) == "200 " + row.wanted)
    }

    @Test func `words are found one after the other`() {
        let script = """
            local found = {}
            for key, value in ('a=1, b=2,c=3'):gmatch('(%w+)=(%w+)') do found[#found + 1] = key .. value end
            for part in ('one,,two'):gmatch('[^,]*') do found[#found + 1] = '<' .. part .. '>' end
            return { status = 200, body = table.concat(found) }
            """
        #expect(outcome(of: script) == "200 a1b2c3<one><><two>")
    }

    @Test func `globals stay for the next call, and are of their script alone`() throws {
        let state = try ScriptState()
        let counting = "count = (count or 0) + 1 return { status = 200, body = count .. '' }"
        let first = try state.compile(ScriptSource(text: Array(counting.utf8), file: "a.lua"))
        let second = try state.compile(ScriptSource(text: Array(counting.utf8), file: "b.lua"))
        let found = [first, first, second, first].map { describe(state.start($0, for: TrialHost())) }
        #expect(found == ["200 1", "200 2", "200 1", "200 3"])
    }

    @Test func `steps of several calls go on in any order`() throws {
        let state = try ScriptState()
        let text = "local name = request.method wait(1) send(name) return { status = 200, body = name }"
        let script = try state.compile(ScriptSource(text: Array(text.utf8), file: "a.lua"))
        var calls: [ScriptCall] = []
        for _ in 0..<20 {
            guard case .step(.wait, let call) = state.start(script, for: TrialHost()) else {
                return #expect(Bool(false))
            }
            calls.append(call)
        }
        for call in calls.reversed() {
            guard case .step(.send, let same) = state.resume(call) else { return #expect(Bool(false)) }
            #expect(describe(state.resume(same)) == "200 GET")
        }
    }

    @Test func `a request that is over answers no more`() throws {
        let state = try ScriptState()
        let text = "kept = kept or request return { status = 200, body = tostring(kept.target) }"
        let script = try state.compile(ScriptSource(text: Array(text.utf8), file: "a.lua"))
        #expect(describe(state.start(script, for: TrialHost())) == "200 nil")
        #expect(
            describe(state.start(script, for: TrialHost()))
                == "a.lua:1: this request is over; a script keeps what it needs of it in variables")
    }

    @Test func `lines are counted as Lua counts them, whatever ends them`() {
        let source = ScriptSource(text: Array("x = 1\r\n\r\n\r  y = = 2\r".utf8), file: "one.lua")
        #expect(source.mistake() == .init(line: 4, column: 7, sentence: "unexpected symbol near '='"))
    }

    @Test func `lines count from the place of the script in its file`() {
        let source = ScriptSource(text: Array("local x = 1\nx = = 2".utf8), file: "a.yaml", firstLine: 7)
        #expect(source.mistake() == .init(line: 8, column: 5, sentence: "unexpected symbol near '='"))
    }
}
