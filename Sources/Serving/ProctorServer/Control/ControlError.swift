internal import ProctorBase
package import ProctorFixtures
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

package struct ControlError: Error {
    let status: Int
    /// A stable code for programs: `unknown-run`.
    let code: String
    let message: String
    var allowed: [String] = []

    package init(_ status: Int, _ code: String, message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    var reply: BuiltInReply {
        var reply = BuiltInReply.object(status: status) { json in
            json.object("error") { json in
                json.member("code", code)
                json.member("message", message)
            }
        }
        if !allowed.isEmpty { reply.fields.append(("Allow", allowed.joined(separator: ", "))) }
        if code == "too-busy" { reply.fields.append(("Retry-After", "1")) }
        if status == 401 { reply.fields.append(("WWW-Authenticate", "Bearer realm=\"proctor\"")) }
        return reply
    }

    /// As a text, whose first line is the heading where it becomes a page.
    var text: BuiltInReply {
        guard let mark = message.firstRange(ofText: "; ") else {
            return BuiltInReply(status: status, lines: [message])
        }
        let parts = [String(message[..<mark.lowerBound]), "", String(message[mark.upperBound...])]
        return BuiltInReply(status: status, lines: parts)
    }

    /// For what a module answers that is not in the program's list of modules: `part` is the module, as "the import".
    package static func withoutModule(_ part: String) -> ControlError {
        ControlError(501, "not-in-program", message: "\(part) is not in this program")
    }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> ControlError {
        var error = ControlError(
            405, "method-not-allowed",
            message: "\(method) is not for this call, but \(allowed.joined(separator: " and "))")
        error.allowed = allowed.contains("GET") ? allowed + ["HEAD"] : allowed
        return error
    }

    /// `not-offered` where the system lacks a feature, `no-tls` for every fault that the user can repair.
    init(_ refusal: SecurityRefusal, _ beginning: String) {
        let message = beginning + refusal.description
        if refusal.reason == .notOffered {
            self.init(503, "not-offered", message: message)
        } else {
            self.init(503, "no-tls", message: message)
        }
    }

    /// A scenario whose file has errors, or that the machine can't read now.
    package init(_ id: String, _ failure: LoadFailure) {
        guard !failure.isTransient else {
            self.init(503, "unreadable-now", message: "scenario \(id) can't be read now; ask again: \(failure)")
            return
        }
        self.init(500, "broken-scenario", message: "scenario \(id) can't be served: \(failure)")
    }

    static func unknownPage(_ path: String) -> ControlError {
        ControlError(404, "unknown-page", message: "there is no page '\(path)'")
    }

    /// `what` is half a sentence about the bound that was reached.
    static func busy(_ what: String) -> ControlError {
        ControlError(503, "too-busy", message: "\(what); ask again in a moment")
    }

    static func bodyTooLong(limit: Int) -> ControlError {
        ControlError(413, "body-too-long", message: "a call's body has at most \(limit) bytes")
    }

    package static func badRequest(_ message: String) -> ControlError {
        ControlError(400, "bad-request", message: message)
    }
}
