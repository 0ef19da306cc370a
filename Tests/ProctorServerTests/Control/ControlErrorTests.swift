import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// Every way to call the API wrongly gets its status, its code and a sentence.
struct ControlErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let body: String?
        let status: Int
        let code: String
        let message: String
        var allow: String?
        var testDescription: String { "\(line) \(body ?? "")" }

        init(_ line: String, _ body: String? = nil, absent code: String, says message: String) {
            self.init(line, body, status: 404, code: code, message: message)
        }

        private init(_ line: String, _ body: String? = nil, status: Int, code: String, message: String) {
            self.line = line
            self.body = body
            self.status = status
            self.code = code
            self.message = message
        }

        /// A method that a call does not have.
        init(_ line: String, allow: String) {
            self.init(
                line, status: 405, code: "method-not-allowed",
                message: "\(line.prefix { $0 != " " }) is not for this call, but ")
            self.allow = allow
        }

        /// A query or a body that is not what the call takes.
        init(_ line: String, _ body: String? = nil, bad message: String) {
            self.init(line, body, status: 400, code: "bad-request", message: message)
        }
    }

    static let absent = [
        Row("GET ", absent: "unknown-call", says: "there is no call '/__proctor'; the calls are health, ca.pem, "),
        Row("GET /", absent: "unknown-call", says: "there is no call '/__proctor/'"),
        Row("GET /helth", absent: "unknown-call", says: "'/__proctor/helth'"),
        Row("POST /health/x", absent: "unknown-call", says: "'/__proctor/health/x'"),
        Row("GET /runs/{run}/journals", absent: "unknown-call", says: "there is no call '/__proctor/runs/r1/journals'"),
        Row("GET /runs/{run}/journal/x", absent: "unknown-call", says: "there is no call"),
        Row("GET /runs/r77", absent: "unknown-run", says: "there is no run 'r77'; it may have been deleted"),
        Row("DELETE /runs/r77", absent: "unknown-run", says: "'r77'"),
        Row("POST /runs/r77/reset", absent: "unknown-run", says: "'r77'"),
        Row("GET /runs/r77/journal?wait=30000", absent: "unknown-run", says: "'r77'"),
        Row("GET /runs/r77/timeline", absent: "unknown-run", says: "'r77'"),
        Row("GET /runs/r77/verdict", absent: "unknown-run", says: "'r77'"),
        Row("GET /runs/r77/assignment", absent: "unknown-run", says: "'r77'"),
        Row("POST /runs/r77/grade", "{}", absent: "unknown-run", says: "'r77'"),
        Row(
            "GET /runs/{run}/grades", absent: "unknown-call",
            says:
                "runs[/ID[/assignment|journal|timeline|events|scenario|verdict|judge|grade|ledger|platform|reset|state|reached|"
        ),
        Row("POST /runs/r77/reached", "{}", absent: "unknown-run", says: "'r77'"),
        Row("GET /runs/%72", absent: "unknown-run", says: "there is no run '%72'"),
        Row("PUT /exams/mine", "{}", bad: "'cases' is a list with at least one of family/"),
        Row(
            "PUT /exams/mine", #"{"cases":["plain/turns"],"abilities":["redirect"]}"#,
            bad: "there is no ability 'redirect'; did you mean 'redirects'?"),
        Row(
            "PUT /exams/mine", #"{"cases":["plain/tunrs"]}"#, absent: "unknown-case",
            says: "did you mean 'plain/turns'?"),
        Row("POST /exams/none/sit?case=a", absent: "unknown-exam", says: "there is no exam 'none'"),
        Row("GET /exams/none/ledger", absent: "unknown-exam", says: "there is no exam 'none'"),
        Row("GET /scenarios/plain/tunrs", absent: "unknown-scenario", says: "did you mean 'plain/turns'?"),
        Row("GET /scenarios/zzz", absent: "unknown-scenario", says: "there is no scenario 'zzz'"),
        Row(
            "POST /runs", #"{"scenario":"plain/turn"}"#, absent: "unknown-scenario", says: "did you mean 'plain/turns'?"
        ),
        Row(
            "GET /runs/{run}/verdict?case=msut", absent: "unknown-case",
            says: "has no case 'msut'; did you mean 'must'?"),
        Row(
            "GET /runs/{run}/assignment?case=msut", absent: "unknown-case",
            says: "has no case 'msut'; did you mean 'must'?"),
        Row(
            "POST /runs/{run}/grade?case=zzz", "", absent: "unknown-case", says: "has no case 'zzz'; it has must, sees"),
        Row("GET /runs/{run}/verdict?case=zzz", absent: "unknown-case", says: "has no case 'zzz'; it has must, sees"),
    ]

    static let disallowed = [
        Row("POST /health", allow: "GET, HEAD"), Row("DELETE /scenarios", allow: "GET, HEAD"),
        Row("PUT /scenarios/other", allow: "GET, HEAD"), Row("PUT /runs", allow: "GET, POST, HEAD"),
        Row("PATCH /runs/{run}", allow: "GET, DELETE, HEAD"), Row("OPTIONS /runs/{run}", allow: "GET, DELETE, HEAD"),
        Row("POST /runs/{run}/journal", allow: "GET, HEAD"), Row("DELETE /runs/{run}/verdict", allow: "GET, HEAD"),
        Row("POST /runs/{run}/assignment", allow: "GET, HEAD"), Row("GET /runs/{run}/grade", allow: "POST"),
        Row("GET /runs/{run}/reset", allow: "POST"), Row("get /runs/{run}/reached", allow: "POST"),
    ]

    static let bad = [
        Row("GET /runs/{run}/journal?after=-1", bad: "'after' is a whole number from 0 to"),
        Row("GET /runs/{run}/journal?after=x", bad: "not 'x'"),
        Row("GET /runs/{run}/journal?after=", bad: "not ''"),
        Row("GET /runs/{run}/journal?after=9223372036854775808", bad: "not '9223372036854775808'"),
        Row("GET /runs/{run}/journal?wait=30001", bad: "'wait' is a whole number from 0 to 30000, not '30001'"),
        Row("GET /runs/{run}/journal?wait=1.5", bad: "not '1.5'"),
        Row("GET /runs/{run}/verdict", bad: "say which case as ?case=NAME; plain/deep/origins has must, sees"),
        Row("GET /runs/{run}/assignment", bad: "say which case as ?case=NAME; plain/deep/origins has must, sees"),
        Row("POST /runs/{run}/grade", "", bad: "say which case as ?case=NAME; plain/deep/origins has must, sees"),
        Row(
            "POST /runs/{run}/grade?case=must", #"{"ev":"dta"}"#,
            bad: "body:1:7: unknown event 'dta'; did you mean 'data'?"),
        Row("POST /runs/{run}/grade?case=must", "{\"ev\":\"data\"}\n{\"lane\":1,\"ev\":\"data\"}", bad: "body:2:9: "),
        Row(
            "POST /runs/{run}/grade?case=must", #"{"trace":"proctor","version":2}"#,
            bad: "body:1:30: version 2 of the format"),
        Row("POST /runs", bad: "a JSON object is expected as the body"),
        Row("POST /runs", "[]", bad: "a JSON object is expected as the body"),
        Row("POST /runs", "\"other\"", bad: "a JSON object is expected as the body"),
        Row("POST /runs", " \t\r\n", bad: "a JSON object is expected as the body"),
        Row("POST /runs", "{}", bad: "one of 'scenario' (an id) and 'scenarios' (a list of ids) is expected"),
        Row("POST /runs", #"{"scenario":"other","scenarios":[]}"#, bad: "one of 'scenario' (an id) and"),
        Row("POST /runs", #"{"scenaro":"other"}"#, bad: "unknown member 'scenaro'; did you mean 'scenario'?"),
        Row("POST /runs", #"{"x":1}"#, bad: "unknown member 'x'; there are scenario, scenarios, lifeSeconds"),
        Row("POST /runs", #"{"scenario":["other"]}"#, bad: "'scenario' is a text, found a list"),
        Row("POST /runs", #"{"scenario":null}"#, bad: "'scenario' is a text, found nothing"),
        Row("POST /runs", #"{"scenarios":"other"}"#, bad: "'scenarios' is a list of 1 to 100 ids, found"),
        Row("POST /runs", #"{"scenarios":[]}"#, bad: "'scenarios' is a list of 1 to 100 ids, found 0"),
        Row("POST /runs", #"{"scenarios":[{}]}"#, bad: "an id is a text, found a mapping"),
        Row(
            "POST /runs", "{\"scenarios\":[\(Array(repeating: "\"other\"", count: 101).joined(separator: ","))]}",
            bad: "'scenarios' is a list of 1 to 100 ids, found 101"),
        Row("POST /runs", #"{"scenario":"other","lifeSeconds":0}"#, bad: "from 1 to 86400, found \"0\""),
        Row("POST /runs", #"{"scenario":"other","lifeSeconds":86401}"#, bad: "from 1 to 86400, found \"86401\""),
        Row("POST /runs", #"{"scenario":"other","lifeSeconds":"60"}"#, bad: "found the text \"60\""),
        Row("POST /runs", #"{"scenario":"other","lifeSeconds":1.5}"#, bad: "a whole number"),
        Row("POST /runs", #"{"scenario":"other""#, bad: "body:1:20: error: expected \",\" or \"}\""),
        Row("POST /runs", "{\n  \"scenario\": \"other\",\n  ]\n}", bad: "body:3:3: error: "),
        Row("POST /runs", #"{"scenario":"a","scenario":"b"}"#, bad: "body:1:17: error: the key \"scenario\" stands"),
        Row("POST /runs", String(repeating: "[", count: 50), bad: "body:1:33: error: nested deeper than 32 levels"),
        Row("POST /runs/{run}/reached", "{}", bad: "'event' is the name of what the client has reported"),
        Row("POST /runs/{run}/reached", #"{"event":""}"#, bad: "1 to 100 bytes"),
        Row("POST /runs/{run}/reached", "{\"event\":\"\(String(repeating: "é", count: 51))\"}", bad: "1 to 100 bytes"),
        Row("POST /runs/{run}/reached", #"{"event":"data","task":-1}"#, bad: "'task' is a whole number from 0 to 9999"),
        Row("POST /runs/{run}/reached", #"{"event":"data","task":10000}"#, bad: "'task' is a whole number"),
        Row("POST /runs/{run}/reached", #"{"event":"data","task":"1"}"#, bad: "'task' is a whole number"),
        Row(
            "POST /runs/{run}/reached", #"{"event":"data","count":1001}"#,
            bad: "'count' is a whole number from 0 to 1000"),
        Row(
            "POST /runs/{run}/reached", #"{"event":"respons"}"#,
            bad: "no client reports 'respons'; did you mean 'response'?"),
        Row("POST /runs/{run}/reached", #"{"event":"request"}"#, bad: "no client reports 'request'"),
        Row("POST /runs/{run}/reached", #"{"event":"\u0007"}"#, bad: #"no client reports '\x07'; Docs/judging/traces"#),
        Row("POST /runs/{run}/reached", #"{"evnet":"a"}"#, bad: "unknown member 'evnet'; did you mean 'event'?"),
    ]

    @Test(arguments: absent + disallowed + bad)
    func `a wrong call gets its status, its code and a sentence`(_ row: Row) async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/deep/origins", on: server)
            let reply = try await call(
                row.line.replacingOccurrences(of: "{run}", with: id), on: server, body: row.body)
            let error = try reply.error
            #expect(reply.status == row.status && error.code == row.code)
            #expect(error.message.contains(row.message), "\(error.message)")
            #expect(reply.field("Allow") == row.allow)
            let health = try await call("GET /health", on: server)
            #expect(try health.json["runs"] as? Int == 1)
        }
    }

    @Test func `HEAD of what is not there is the error without its content`() async throws {
        try await withControl { server in
            let reply = try await call("HEAD /runs/r77", on: server)
            #expect(reply.status == 404 && reply.body.isEmpty && reply.field("Content-Type") == "application/json")
        }
    }

    @Test func `a path that only begins like the API's is no call`() async throws {
        try await withControl { server in
            let page = try ControlReply(try await exchange(.request("GET /__proctorial"), with: server.base).text)
            #expect(page.status == 404 && page.body.hasPrefix("no scenario stands at /__proctorial\n"))
        }
    }
}
