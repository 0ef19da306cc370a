internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

let newCommand = Command(
    name: "new", operands: "ID [--fixtures FOLDER] [--auth | --tls]",
    summary: "Writes a commented scenario to begin with",
    flags: [
        Flag("--fixtures", "FOLDER", help: "where scenarios stand"),
        Flag("--auth", help: "a scenario behind a guard that asks for a password, instead of a redirect"),
        Flag("--tls", help: "a scenario over https with a certificate of your choice, instead of a redirect"),
    ]
) { arguments, context in
    guard arguments.operands.count == 1, let id = arguments.operands.first else {
        throw UsageError("'new' takes one ID: proctor new redirect/my-case")
    }
    try Scaffold.check(id)
    guard !arguments.has("--auth") || !arguments.has("--tls") else {
        throw UsageError("--auth and --tls exclude each other: a scenario begins as one of them")
    }
    let kind: Scaffold.Kind = arguments.has("--auth") ? .guarded : arguments.has("--tls") ? .secured : .redirect
    let folder = arguments["--fixtures"] ?? FixtureLocation(environment: context.environment).folderForNew
    let path = "\(folder)/\(id).yaml"
    do throws(CallFailure) {
        try AtomicFile.create(path, with: Scaffold.text(for: id, kind))
    } catch {
        context.output.message(
            error.code == EEXIST
                ? "\(path) is there already, and was left alone" : "\(path) can't be written: \(error.text)")
        return .failure
    }
    context.output.line(path)
    do {
        if try !FixtureSchema.add(to: folder) { context.output.message("no schema for editors comes with this binary") }
    } catch {
        context.output.message("the schema for editors is missing, and the scenario is there: \(error)")
        return .failure
    }
    if FixtureLocation.isShipped(folder) {
        context.output.message("\(folder) holds proctor's own scenarios; --fixtures FOLDER writes among yours")
    }
    context.output.message("edit it, then: proctor check \(path) && proctor serve \(folder)")
    return .success
}

enum Scaffold {
    /// Throws unless the id is a path of words that need no escapes in a URL.
    static func check(_ id: String) throws(UsageError) {
        let segments = id.split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments {
            let isPlain = segment.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) }
            guard isPlain, !segment.isEmpty, !segment.hasPrefix("."), !segment.hasPrefix("_") else {
                throw UsageError(
                    "'\(id)' can't be an id: words of letters, digits, '-', '.', '_' and '~', joined by '/', and none "
                        + "begins with '.' or '_'")
            }
        }
        if id.hasSuffix(".yaml") || id.hasSuffix(".yml") {
            throw UsageError(
                "an id is said without its extension: proctor new \(id.split(separator: ".").dropLast().joined(separator: "."))"
            )
        }
    }

    enum Kind { case redirect, guarded, secured }

    /// The text of a working scenario, with comments at the places to edit.
    static func text(for id: String, _ kind: Kind = .redirect) -> String {
        let depth = id.count { $0 == "/" }
        let body =
            switch kind {
            case .redirect: redirect
            case .guarded: guarded
            case .secured: secured
            }
        return FixtureSchema.line(below: depth) + "\n" + body
    }

    private static let redirect = """
        # One sentence on what the scenario shows; it stands in the catalogue.
        summary: A redirect is followed to a short answer
        # Where the behaviour is written down: a text, or a list of them.
        spec: RFC 9110 §15.4.3

        # Requests to wait for, tried in this order, and the reply to each. Nothing is sent that is not written here,
        # but for Content-Length. {{base}} is the address of this scenario; values that begin with {{ want quotes.
        exchanges:
          - request: GET /start
            reply: { status: 302, headers: { Location: "{{base}}/end" } }
          - request: GET /end
            reply:
              status: 200
              headers: { Content-Type: text/plain }
              body: "ok\\n"
              # Something can happen at any place of a reply:
              # effects: [ { at: body 1, do: wait 100ms }, { at: end, do: reset } ]

        # What a client is told to do, and what must then be seen.
        cases:
          follow:
            # must, should, or observes for what the specification leaves open.
            kind: should
            client: { url: /start }
            # The requests that must arrive, in this order and no others.
            wire: request(GET /start) request(GET /end)
            # The callbacks that a delegate must see.
            task: redirect(302) response(200) data+ complete(ok)
            facts: { status: 200, body: "ok\\n" }

        """

    private static let guarded = """
        # One sentence on what the scenario shows; it stands in the catalogue.
        summary: A Basic challenge is answered with the right password
        # Where the behaviour is written down: a text, or a list of them.
        spec: RFC 7617

        # Who asks for credentials, and judges what comes.
        guards:
          lab:
            realm: lab
            users: { user: pass }
            # In the order of the offer; digest and bearer (which wants tokens) are verified too. With a mapping more can
            # be said, as in: - digest: { algorithm: SHA-256, qop: [auth, auth-int] }
            schemes: [basic]
            # After so many refused credentials it asks no more:
            # gives-up: { after: 3, reply: { status: 403 } }
        # The guard of every exchange that says nothing itself; 'auth: none' at one lets every request in.
        auth: lab

        # Requests to wait for, tried in this order, and what is replied to each once the guard admits it.
        exchanges:
          - request: GET /secret
            reply:
              status: 200
              headers: { Content-Type: text/plain }
              body: "ok\\n"

        # What a client is told to do, and what must then be seen.
        cases:
          answered:
            # must, should, or observes for what the specification leaves open.
            kind: should
            client: { url: /secret, onChallenge: { use: "user:pass" } }
            # The requests that must arrive, in this order and no others.
            wire: request(GET /secret){2}
            # The callbacks that a delegate must see.
            task: challenge(basic) response(200) data+ complete(ok)
            # What the guard made of it; there are auth.user, auth.scheme, auth.nc and auth.faults too.
            facts:
              status: 200
              body: "ok\\n"
              auth.attempts: 1
              auth.failures: 0
              wire[0].auth: challenged
              wire[1].auth: admitted
              wire[1].credentials.scheme: Basic

        """
}

extension Scaffold {
    static let secured = """
        # One sentence on what the scenario shows; it stands in the catalogue.
        summary: A server with a valid certificate is trusted
        # Where the behaviour is written down: a text, or a list of them.
        spec: RFC 8446

        origins:
          main:
            scheme: https
            # What is wrong with the certificate, or valid; 'proctor ca profiles' lists the names.
            certificate: valid
            # What else is special about TLS there; every key may be left out:
            # tls: { versions: 1.2, client-certificate: request, resumption: off }
            # Something can happen in a handshake:
            # connections: [ { at: handshake certificate, do: alert handshake_failure } ]

        exchanges:
          - request: GET /secret
            reply:
              status: 200
              headers: { Content-Type: text/plain }
              body: "ok\\n"

        # What a client is told to do, and what must then be seen.
        cases:
          trusted:
            # must, should, or observes for what the specification leaves open.
            kind: should
            # The client judges the server by the authority of proctor; 'trust' takes it whatever it shows.
            client: { url: /secret, onChallenge: default }
            # The requests that must arrive, in this order and no others.
            wire: request(GET /secret)
            # The callbacks that a delegate must see.
            task: challenge(serverTrust) response(200) data+ complete(ok)
            # What became of the handshake; there are tls[0].alert, tls[0].cipher and others too.
            facts: { body: "ok\\n", tls.handshakes: 1, tls.failures: 0, "tls[0].certificate": valid }

        """
}
