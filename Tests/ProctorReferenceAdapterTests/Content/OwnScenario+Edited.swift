/// What the traces of ``EditedTraceTests`` are of: content that comes in pieces, and every kind of callback.
extension OwnScenario {
    static let edited = #"""
        summary: Content in pieces, a redirect, a challenge, an upload, a break and an end
        spec: RFC 9110 §6.4
        exchanges:
          - request: GET /moved
            reply: { status: 302, headers: { Location: "{{base}}/parts" } }
          - request: GET /parts
            reply: { status: 200, headers: { Content-Type: text/plain }, body: [ "part one ", { do: wait 100ms }, "part two" ] }
          - request: { method: GET, path: /secret, headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "welcome\n" }
          - request: GET /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="the lab"' }, body: "denied\n" }
          - request: POST /upload
            reply: { status: 200, body: "ok\n" }
          - request: GET /broken
            reply: { status: 200, body: "0123456789", effects: [ { at: body 5, do: close } ] }
        cases:
          moved:
            client: { url: /moved }
            task: redirect(302) response(200) data+ complete(ok)
          parts:
            client: { url: /parts }
            task: response(200) data{2} complete(ok)
          file:
            client: { url: /parts, task: download }
            download: progress{2} fileReady complete(ok)
          challenged:
            client: { url: /secret, onChallenge: { use: "user:pass" } }
            task: challenge(basic) response(200) data+ complete(ok)
          upload:
            client: { method: POST, url: /upload, task: upload, body: "0123456789" }
            task: bodySent+ response(200) data+ complete(ok)
          broken:
            client: { url: /broken }
            task: response(200) data* complete(error)
          finished:
            client: { url: /parts, session: { end: finish } }
            task: response(200) data+ complete(ok)
        """#
}
