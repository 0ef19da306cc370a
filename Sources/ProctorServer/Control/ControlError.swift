internal import ProctorBase
internal import ProctorScenario

/// Why a control call is refused; becomes a status and a typed JSON object.
struct ControlError: Error {
    let status: Int
    /// Stable, for programs: `unknown-run`.
    let code: String
    /// For people: what, and what to do.
    let message: String
    var allowed: [String] = []

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    var reply: BuiltInReply {
        var json = JSONText()
        json.open("{")
        json.key("error")
        json.open("{")
        json.member("code", code)
        json.member("message", message)
        json.close("}")
        json.close("}")
        var reply = BuiltInReply(status: status, json: json)
        if !allowed.isEmpty { reply.fields.append(("Allow", allowed.joined(separator: ", "))) }
        if code == "too-busy" { reply.fields.append(("Retry-After", "1")) }
        if status == 401 { reply.fields.append(("WWW-Authenticate", "Bearer realm=\"proctor\"")) }
        return reply
    }

    static func unknownPath(_ path: String) -> ControlError {
        ControlError(
            404, "unknown-call",
            "there is no call '\(path)'; the calls are health, ca.pem, ca.der, crl, ocsp, scenarios[/ID], "
                + "standing/ID[/reset], runs[/ID[/assignment|journal|verdict|grade|reset|reached|environment|proxy.pac]]"
        )
    }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> ControlError {
        var error = ControlError(
            405, "method-not-allowed", "\(method) is not for this call, but \(allowed.joined(separator: " and "))")
        error.allowed = allowed.contains("GET") ? allowed + ["HEAD"] : allowed
        return error
    }

    /// `not-offered` where the system lacks something, `no-tls` for everything that can be mended.
    init(_ refusal: SecurityRefusal, _ beginning: String) {
        let message = beginning + refusal.description
        if refusal.reason == .notOffered {
            self.init(503, "not-offered", message)
        } else {
            self.init(503, "no-tls", message)
        }
    }

    static func unknownRun(_ id: String) -> ControlError {
        ControlError(404, "unknown-run", "there is no run '\(id)'; it may have been deleted, or forgotten for too long")
    }

    static func standing(_ run: Run) -> ControlError {
        ControlError(
            409, "standing-run",
            "run '\(run.id)' stands for \(run.scenario.id) as long as the server; reset it to begin again")
    }

    /// `what` is what there is too much of, as half a sentence.
    static func busy(_ what: String) -> ControlError {
        ControlError(503, "too-busy", "\(what); ask again in a moment")
    }

    static func bodyTooLong(limit: Int) -> ControlError {
        ControlError(413, "body-too-long", "a call's body has at most \(limit) bytes")
    }

    static func badRequest(_ message: String) -> ControlError {
        ControlError(400, "bad-request", message)
    }
}
