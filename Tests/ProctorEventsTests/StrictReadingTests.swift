import ProctorEvents
import Testing

/// What a strict reader of an adapter's trace refuses, which another reader passes over.
struct StrictReadingTests {
    private static let header = #"{"trace":"proctor","version":1,"lanes":["harness"]}"#

    private static let headers: [BadLine] = [
        BadLine(
            #"{"trace":"proctor","version":1,"facts":["status","mesage"]}"#, 50,
            "there is no fact 'mesage'; did you mean 'message'?"),
        BadLine(
            #"{"trace":"proctor","version":1,"facts":["colour of the sky"]}"#, 41,
            "there is no fact 'colour of the sky'; Docs/judging/traces.md lists them"),
    ]

    private static let events: [BadLine] = [
        BadLine(
            #"{"ev":"result","facts":{"error":"conectionLost"}}"#, 33,
            "there is no error 'conectionLost'; did you mean 'connectionLost'?"),
        BadLine(
            #"{"ev":"result","facts":{"error":"mine#E18"}}"#, 33,
            "there is no error 'mine#E18'; an error is a name of Docs/judging/traces.md, or DOMAIN#CODE with a whole number"
        ),
        BadLine(
            #"{"ev":"result","facts":{"error":"ok"}}"#, 33,
            "there is no error 'ok'; an error is a name of Docs/judging/traces.md, or DOMAIN#CODE with a whole number"),
        BadLine(#"{"ev":"result","facts":{"error":18}}"#, 33, "the fact 'error' is a text, not the number 18"),
        BadLine(
            #"{"ev":"result","facts":{"status":"200"}}"#, 34, "the fact 'status' is a whole number, not the text '200'"),
        BadLine(#"{"ev":"result","facts":{"url":7}}"#, 31, "the fact 'url' is a text, not the number 7"),
        BadLine(#"{"ev":"result","facts":{"bytes":true}}"#, 33, "the fact 'bytes' is a whole number, not true"),
        BadLine(
            #"{"ev":"result","facts":{"resumeData":"yes"}}"#, 38,
            "the fact 'resumeData' is true or false, not the text 'yes'"
        ),
        BadLine(
            #"{"ev":"result","facts":{"cachedStatus":false}}"#, 40,
            "the fact 'cachedStatus' is a whole number or a text, not false"),
        BadLine(
            #"{"ev":"result","facts":{"statsu":200}}"#, 25, "there is no fact 'statsu'; did you mean 'status'?"),
        BadLine(
            #"{"ev":"complete","arg":"timedout"}"#, 24, "there is no error 'timedout'; did you mean 'timedOut'?"),
        BadLine(
            #"{"ev":"response","arg":"x200"}"#, 24, "the argument of 'response' is a status code, not 'x200'"),
    ]

    private func read(_ lines: [String], isStrict: Bool) -> TraceReadingError? {
        do throws(TraceReadingError) {
            _ = try Trace(Array(lines.joined(separator: "\n").utf8), file: "t", isStrict: isStrict)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: headers) func `a promise of facts that there are not is refused`(_ bad: BadLine) throws {
        let error = try #require(read([bad.line], isStrict: true))
        #expect(error.description == "t:1:\(bad.column): \(bad.sentence)")
        #expect(read([bad.line], isStrict: false) == nil)
    }

    @Test(arguments: events) func `a wrong type, an unknown error and a misspelt fact are refused`(
        _ bad: BadLine
    ) throws {
        let error = try #require(read([Self.header, bad.line], isStrict: true))
        #expect(error.description == "t:2:\(bad.column): \(bad.sentence)")
        #expect(read([Self.header, bad.line], isStrict: false) == nil)
    }

    @Test(arguments: [
        #"{"ev":"result","facts":{"status":200,"url":"u","bytes":0,"body":"","fileExists":true}}"#,
        #"{"ev":"result","facts":{"error":"networkConnectionLost","domain":"d","code":-1,"message":"m"}}"#,
        #"{"ev":"result","facts":{"error":"curl#18"}}"#, #"{"ev":"result","facts":{"error":null}}"#,
        #"{"ev":"result","facts":{"cachedStatus":"none"}}"#, #"{"ev":"result","facts":{"cachedStatus":200}}"#,
        #"{"ev":"result","facts":{"weather in the evening":{"a":[1]}}}"#,
        #"{"ev":"complete","arg":"ok"}"#, #"{"ev":"complete","arg":"mine#-7"}"#, #"{"ev":"complete"}"#,
        #"{"ev":"response","arg":200}"#, #"{"ev":"response"}"#, #"{"ev":"unimplemented","arg":"anything"}"#,
    ])
    func `what the format permits is read, also what a newer recorder may add`(_ line: String) {
        #expect(read([Self.header, line], isStrict: true) == nil)
    }

    @Test func `every kind of fact has its type`() {
        for key in FactKey.allCases where key != .error {
            let values: [FactValue] = [.integer(1), .text("a"), .flag(true)]
            let permitted = values.filter { value in
                let text =
                    switch value {
                    case .integer: "1"
                    case .text: "\"a\""
                    case .flag: "true"
                    }
                return read(
                    [Self.header, "{\"ev\":\"result\",\"facts\":{\"\(key.rawValue)\":\(text)}}"], isStrict: true) == nil
            }
            #expect(permitted.count == (key == .cachedStatus ? 2 : 1), "\(key): \(permitted)")
        }
    }
}
