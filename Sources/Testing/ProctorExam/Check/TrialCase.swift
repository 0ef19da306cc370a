internal import ProctorFixtures
package import ProctorScenario

/// One of the small cases that test an adapter, in the order in which its author builds the adapter.
package struct TrialCase: Sendable {
    /// The scenario's id and the case's name.
    package let name: String
    /// What the author builds for this case, a sentence in the imperative.
    package let advice: String
    private let fixture: String

    package var id: String { "adapter-check/\(name)" }

    /// The scenario; its text is a constant of this module.
    package var scenario: Scenario {
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(fixture.utf8), id: id, file: "\(id) (built in)")
        guard let scenario else { preconditionFailure("a built-in scenario has errors: \(diagnostics)") }
        return scenario
    }

    package static let all: [TrialCase] = [
        get, status, fields, content, failure, redirect, brokenRedirect, steps, silence,
    ]

    private static let get = TrialCase(
        name: "get",
        advice:
            "write the header, make the request of the first step, and write its result with status, url, bytes and body",
        fixture: """
            summary: A request and its reply
            spec: RFC 9110 §9.3.1
            exchanges: [ { request: GET /hello, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } } ]
            cases:
              get:
                client: { url: /hello }
                wire: request(GET /hello)
                task: response(200) data+ complete(ok)
                facts: { status: 200, body: "hello\\n", url: "{{base}}/hello" }
            """)

    private static let status = TrialCase(
        name: "status",
        advice: "write the result of a reply with an error's status like any other: 404 is no error of the load",
        fixture: """
            summary: A status of an error is a reply
            spec: RFC 9110 §15.5.5
            exchanges: [ { request: GET /none, reply: { status: 404, body: "nothing here\\n" } } ]
            cases:
              status:
                client: { url: /none }
                wire: request(GET /none)
                task: response(404) data+ complete(ok)
                facts: { status: 404, body: "nothing here\\n" }
            """)

    private static let fields = TrialCase(
        name: "fields", advice: "send the method and all of 'headers' of the step as they stand",
        fixture: """
            summary: A method and a field
            spec: RFC 9110 §5.1
            exchanges: [ { request: DELETE /thing, reply: { status: 200, body: "gone\\n" } } ]
            cases:
              fields:
                client: { method: DELETE, url: /thing, headers: { X-Trial: one two } }
                wire: request(DELETE /thing)
                task: response(200) data+ complete(ok)
                facts: { "wire[0].headers.X-Trial": one two, status: 200 }
            """)

    private static let content = TrialCase(
        name: "content", advice: "send 'body': its text or base64, 'count' bytes of it where there is a count",
        fixture: """
            summary: A request with content
            spec: RFC 9110 §9.3.3
            exchanges: [ { request: POST /box, reply: { status: 200, body: "got it\\n" } } ]
            cases:
              content:
                client: { method: POST, url: /box, headers: { Content-Type: text/plain }, body: "the whole body" }
                wire: request(POST /box)
                task: response(200) data+ complete(ok)
                facts: { "wire[0].body": the whole body, status: 200 }
            """)

    private static let failure = TrialCase(
        name: "failure", advice: "write a result with 'error' and 'message' when the client fails, and exit with 0",
        fixture: """
            summary: A connection that is closed in the reply's body
            spec: RFC 9112 §8
            exchanges:
              - request: GET /half
                reply: { status: 200, body: "twelve bytes", effects: [ { at: body 6, do: close } ] }
            cases:
              failure:
                client: { url: /half }
                wire: request(GET /half)+
                task: response(200) data* complete(error)
            """)

    private static let redirect = TrialCase(
        name: "redirect",
        advice:
            "follow redirects where 'onRedirect' is to follow, and write the last URL as 'url'; else write 'unimplemented'",
        fixture: """
            summary: A redirect is followed
            spec: RFC 9110 §15.4.3
            exchanges:
              - request: GET /start
                reply: { status: 302, headers: { Location: "{{base}}/done" } }
              - request: GET /done
                reply: { status: 200, body: "done\\n" }
            cases:
              redirect:
                client: { url: /start }
                wire: request(GET /start) request(GET /done)
                task: redirect(302) response(200) data+ complete(ok)
                facts: { url: "{{base}}/done", body: "done\\n" }
            """)

    private static let brokenRedirect = TrialCase(
        name: "broken-redirect",
        advice:
            "leave status, mime and body out of a result with 'error' where no final response came: the status of a "
            + "redirect that was followed, or of a 1xx, is not the load's, even if the client still shows it",
        fixture: """
            summary: A connection that is closed where a redirect leads, before a reply
            spec: RFC 9110 §15.4.3
            exchanges:
              - request: GET /start
                reply: { status: 302, headers: { Location: "{{base}}/closed" } }
              - request: GET /closed
                reply: { status: 200, body: "never", effects: [ { at: head, do: close } ] }
            cases:
              broken-redirect:
                client: { url: /start }
                wire: request(GET /start) request(GET /closed)+
                task: redirect(302) complete(error)
                facts: { status: null }
            """)

    private static let steps = TrialCase(
        name: "steps",
        advice: "do the steps one after the other in one session of the client, and write resume and result for each",
        fixture: """
            summary: Two steps of one session
            spec: RFC 9110 §9.3.1
            exchanges:
              - request: GET /one
                reply: { status: 200, body: "one\\n" }
              - request: GET /two
                reply: { status: 200, body: "two\\n" }
            cases:
              steps:
                client: [ { url: /one }, { url: /two } ]
                wire: request(GET /one) request(GET /two)
                task: response(200) data+ complete(ok)
                task[1]: response(200) data+ complete(ok)
                facts: { body: "one\\n", "step[1].body": "two\\n" }
            """)

    private static let silence = TrialCase(
        name: "silence",
        advice:
            "give up by yourself 'deadline' milliseconds after the start: write the result with domain 'adapter', exit with 0",
        fixture: """
            summary: A server that never answers
            spec: RFC 9110 §15.5.9
            exchanges:
              - request: GET /silence
                reply: { status: 200, body: "never", effects: [ { at: head, do: stall } ] }
            cases:
              silence: { kind: observes, client: { url: /silence }, wire: request(GET /silence)+ }
            """)
}
