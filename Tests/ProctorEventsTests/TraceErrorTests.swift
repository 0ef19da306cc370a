import ProctorEvents
import Testing

struct BadLine: Sendable, CustomTestStringConvertible {
    let line: String
    let column: Int
    let sentence: String

    init(_ line: String, _ column: Int, _ sentence: String) {
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    var testDescription: String { line }
}

struct TraceErrorTests {
    private static let syntax: [BadLine] = [
        BadLine(#"[1]"#, 1, "expected an event as an object of JSON, not '['"),
        BadLine(#"data"#, 1, "expected an event as an object of JSON, not 'd'"),
        BadLine(#"{"#, 2, "the line ends where the end of an object or a list is expected"),
        BadLine(#"{ev:"data"}"#, 2, "expected a key in double quotes, not 'e'"),
        BadLine(#"{"ev" "data"}"#, 7, "expected ':' behind a key, not '\"'"),
        BadLine(#"{"ev":"data"]"#, 13, "expected ',' or '}', not ']'"),
        BadLine(#"{"ev":"data",}"#, 14, "expected a key in double quotes, not '}'"),
        BadLine(#"{,"ev":"data"}"#, 2, "expected a key in double quotes, not ','"),
        BadLine(#"{"ev":"data"} x"#, 15, "expected nothing behind the '}' of the event, not 'x'"),
        BadLine(#"{"ev":"data"}{"ev":"data"}"#, 14, "expected nothing behind the '}' of the event, not '{'"),
        BadLine(#"{"ev":"data"#, 12, "the text that begins in column 7 is not closed"),
        BadLine(#"{"ev":"da\xta"}"#, 10, #"no such escape; there are \" \\ \/ \b \f \n \r \t and \u with four digits"#),
        BadLine(#"{"ev":"da\u00g1"}"#, 14, "behind '\\u' come four hexadecimal digits"),
        BadLine("{\"ev\":\"da\u{1}ta\"}", 10, "a control character in a text is written '\\u0001'"),
        BadLine("{\"ev\":\"data\",\"queue\":\"\u{1f}\"}", 23, "a control character in a text is written '\\u001f'"),
        BadLine(#"{"ev":"data","x":01}"#, 18, "a number has no zero in front"),
        BadLine(#"{"ev":"data","x":-01}"#, 18, "a number has no zero in front"),
        BadLine(#"{"ev":"data","x":1.}"#, 20, "expected a digit behind '.', not '}'"),
        BadLine(#"{"ev":"data","x":1e+}"#, 21, "expected a digit in the exponent, not '}'"),
        BadLine(#"{"ev":"data","x":+1}"#, 18, "expected a value, not '+'"),
        BadLine(#"{"ev":"data","x":nul}"#, 18, "expected a value, not 'n'"),
        BadLine(#"{"ev":"data","x":truth}"#, 18, "expected a value, not 't'"),
        BadLine(#"{"ev":"data","x":[1 2]}"#, 21, "expected ',' or ']', not '2'"),
        BadLine(#"{"ev":"data","x":[1}}"#, 20, "expected ',' or ']', not '}'"),
        BadLine(#"{"ev":"data","x":[1,]}"#, 21, "expected a value, not ']'"),
        BadLine(#"{"ev":"data","x":{"a"}}"#, 22, "expected ':' behind a key, not '}'"),
        BadLine(#"{"ev":"data","x":{1:2}}"#, 19, "expected a key in double quotes, not '1'"),
        BadLine(
            "{\"ev\":\"data\",\"x\":" + String(repeating: "[", count: 33), 50,
            "objects and lists go no more than 32 levels deep"),
        BadLine("{\"ev\":\"data\",\"x\":é}", 18, "expected a value, not '\\xC3'"),
        BadLine(#"{"ev":"data","x":"#, 18, "the line ends where a value is expected"),
    ]

    private static let values: [BadLine] = [
        BadLine(#"{"lane":"task"}"#, 1, "an event needs 'ev', the name of what happened"),
        BadLine(#"{"ev":5}"#, 7, "expected a text, the name of an event, not '5'"),
        BadLine(#"{"ev":"respons"}"#, 7, "unknown event 'respons'; did you mean 'response'?"),
        BadLine(
            #"{"ev":"URLSession:task:didCompletWithError:"}"#, 7,
            "unknown event 'URLSession:task:didCompletWithError:'; did you mean 'URLSession:task:didCompleteWithError:'?"
        ),
        BadLine(
            #"{"ev":"connection(_:didRecieveData:)"}"#, 7,
            "unknown event 'connection(_:didRecieveData:)'; did you mean 'connection(_:didReceiveData:)'?"),
        BadLine(
            #"{"ev":"viewDidLoad\u0007"}"#, 7,
            "unknown event 'viewDidLoad\\x07'; an event is a neutral name like 'response', or the name of a delegate method"
        ),
        BadLine(#"{"ev":"data","lane":"tsk"}"#, 21, "there is no lane 'tsk'; did you mean 'task'?"),
        BadLine(
            #"{"ev":"data","lane":"elsewhere"}"#, 21,
            "there is no lane 'elsewhere'; there are task, session, proto, protocolClient, handler, harness, wire"),
        BadLine(
            #"{"ev":"data","lane":"task[x]"}"#, 21,
            "there is no lane 'task[x]'; there are task, session, proto, protocolClient, handler, harness, wire"),
        BadLine(#"{"ev":"data","lane":1}"#, 21, "expected a text, the name of a lane, not '1'"),
        BadLine(
            #"{"lane":"wire","ev":"data"}"#, 21,
            "'data' is no event of lane 'wire'; it belongs to lane 'task' or 'protocolClient'"),
        BadLine(
            #"{"lane":"task","ev":"startLoading"}"#, 21,
            "'p.start' is no event of lane 'task'; it belongs to lane 'proto'"),
        BadLine(#"{"ev":"data","seq":-1}"#, 20, "'seq' is a whole number from 0 to 9223372036854775807"),
        BadLine(#"{"ev":"data","seq":1.5}"#, 20, "'seq' is a whole number from 0 to 9223372036854775807"),
        BadLine(#"{"ev":"data","seq":"1"}"#, 20, "expected a whole number, not '\"'"),
        BadLine(
            #"{"ev":"data","task":9223372036854775808}"#, 21, "'task' is a whole number from 0 to 9223372036854775807"),
        BadLine(#"{"ev":"data","task":1e2}"#, 21, "'task' is a whole number from 0 to 9223372036854775807"),
        BadLine(#"{"ev":"data","object":-2}"#, 23, "'object' is a whole number from 0 to 9223372036854775807"),
        BadLine(
            #"{"ev":"data","ns":18446744073709551616}"#, 19,
            "'ns' is a whole number from 0 to 18446744073709551615; fractions are for 'ms'"),
        BadLine(
            #"{"ev":"data","ns":1.5}"#, 19,
            "'ns' is a whole number from 0 to 18446744073709551615; fractions are for 'ms'"),
        BadLine(#"{"ev":"data","ms":1e999}"#, 19, "the number of milliseconds is too large"),
        BadLine(#"{"ev":"data","ms":"1"}"#, 19, "expected a number of milliseconds, not '\"'"),
        BadLine(#"{"ev":"data","arg":true}"#, 20, "expected an argument: a text, a number or null, not 't'"),
        BadLine(#"{"ev":"data","arg":{}}"#, 20, "expected an argument: a text, a number or null, not '{'"),
        BadLine(#"{"ev":"data","phase":"leave"}"#, 22, "'phase' is 'enter' or 'exit'"),
        BadLine(#"{"ev":"data","queue":7}"#, 22, "expected a text, the label of a queue, not '7'"),
        BadLine(#"{"ev":"data","thread":[]}"#, 23, "expected a text, the label of a thread, not '['"),
        BadLine(
            #"{"ev":"data","family":"XX"}"#, 23,
            "there is no family 'XX'; there are sessionData, sessionDownload, sessionHandler, sessionBackground, "
                + "connection, connectionSync, connectionQueued, connectionDownload, download, urlProtocol, proto, webSocket, stream, "
                + "eventSource"
        ),
        BadLine(#"{"ev":"data","facts":[]}"#, 22, "expected an object of facts, not '['"),
        BadLine(
            #"{"ev":"data","facts":{"n":1.5}}"#, 27,
            "the fact 'n' is a whole number from -9223372036854775808 to 9223372036854775807"),
        BadLine(
            #"{"ev":"data","facts":{"n":9223372036854775808}}"#, 27,
            "the fact 'n' is a whole number from -9223372036854775808 to 9223372036854775807"),
        BadLine(
            #"{"ev":"data","facts":{"n":[1]}}"#, 27,
            "expected a fact: a text, a whole number, true, false or null, not '['"),
        BadLine(
            #"{"trace":"proctor","version":1}"#, 1, "a header stands only in the first line; a file holds one trace"),
    ]

    private static let headers: [BadLine] = [
        BadLine(#"{"trace":"other","version":1}"#, 10, "'trace' is 'proctor'; other traces can't be read"),
        BadLine(#"{"trace":"proctor"}"#, 1, "a header needs 'version', which is 1"),
        BadLine(#"{"trace":"proctor","version":0}"#, 30, "a version is a whole number from 1"),
        BadLine(#"{"trace":"proctor","version":1.0}"#, 30, "a version is a whole number from 1"),
        BadLine(#"{"trace":"proctor","version":"1"}"#, 30, "expected a version, which is a whole number, not '\"'"),
        BadLine(
            #"{"trace":"proctor","version":1,"unit":"us"}"#, 39,
            "'unit' is 'ns'; write milliseconds with the key 'ms' in each event"),
        BadLine(#"{"trace":"proctor","version":1,"lanes":"task"}"#, 40, "expected a list of lanes, not '\"'"),
        BadLine(
            #"{"trace":"proctor","version":1,"lanes":["task","tusk"]}"#, 48,
            "there is no lane 'tusk'; there are task, session, proto, protocolClient, handler, harness, wire"),
        BadLine(#"{"trace":"proctor","version":1,"facts":"url"}"#, 40, "expected a list of facts, not '\"'"),
        BadLine(#"{"trace":"proctor","version":1,"facts":[1]}"#, 41, "expected a text, the name of a fact, not '1'"),
        BadLine(#"{"trace":"proctor","version":1,"client":null}"#, 41, "expected a text, not 'n'"),
        BadLine(#"{"trace":"proctor","version":1}]"#, 32, "expected nothing behind the '}' of the header, not ']'"),
        BadLine(#"{"trace":"proctor","version":1,"x":}"#, 36, "expected a value, not '}'"),
    ]

    @Test(arguments: syntax + values)
    func `a bad line is refused with its place and what was expected`(_ row: BadLine) {
        let seen = TraceVerifier.seen("{\"ev\":\"data\"}\n\(row.line)\n")
        #expect(seen.errors.map(\.description) == ["t.jsonl:2:\(row.column): \(row.sentence)"])
        #expect(seen.symbols == "data")
    }

    @Test(arguments: headers)
    func `a bad header is refused with its place and what was expected`(_ row: BadLine) {
        let seen = TraceVerifier.seen("\(row.line)\n{\"ev\":\"data\"}\n")
        #expect(seen.errors.map(\.description) == ["t.jsonl:1:\(row.column): \(row.sentence)"])
        #expect(seen.events.isEmpty && seen.header == nil)
    }

    @Test func `only the first unknown names are compared with all others`() {
        let bad = TraceVerifier.read([Array(String(repeating: "{\"ev\":\"dta\"}\n", count: 100).utf8)], 1_000)
        #expect(bad.errors.count == 100)
        #expect(bad.errors.filter { $0.sentence == "unknown event 'dta'; did you mean 'data'?" }.count == 32)
        #expect(bad.errors.allSatisfy { $0.sentence.hasPrefix("unknown event 'dta'; ") })
    }

    @Test func `the first bad line ends the reading of a whole file`() {
        #expect(throws: TraceReadingError.self) { try Trace(Array("{\"ev\":\"data\"}\n{}\n".utf8)) }
    }
}
