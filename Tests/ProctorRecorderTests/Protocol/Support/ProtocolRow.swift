import ProctorEvents
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder

/// A script, what the client then hears, and the rules that this breaks.
struct ProtocolRow: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    var program = ProtocolProgram.patient
    /// Lane `protocolClient` of object 0.
    let client: String
    /// Of object 1, where there is one.
    var second: String?
    /// Lane `harness`, without the result.
    var harness = ""
    var rules: [Int] = []
    /// The load does not end by itself and is given up once this has returned.
    var hangsAfter: EventName?

    var testDescription: String { name }
}

extension ProtocolRow {
    static let legal: [ProtocolRow] = [
        ProtocolRow(
            name: "three phases", script: "response 200,data one,data two,finish",
            client: "response(200) data data complete(ok)"),
        ProtocolRow(name: "no content", script: "response 204,finish", client: "response(204) complete(ok)"),
        ProtocolRow(
            name: "a failure before the response", script: "fail -1001", client: "complete(timedOut)"),
        ProtocolRow(
            name: "a failure in the body", script: "response 200,data one,fail connectionLost",
            client: "response(200) data complete(connectionLost)"),
        ProtocolRow(
            name: "a pause in the body", script: "response 200,wait 20,data one,wait 20ms,finish",
            client: "response(200) data complete(ok)"),
        ProtocolRow(
            name: "a redirect that is followed", script: "redirect /b,await-stop,response 200,data x,finish",
            client: "redirect(302)", second: "response(200) data complete(ok)", harness: "answer(follow)"),
        ProtocolRow(
            name: "a redirect that is followed after a while",
            script: "redirect 307 /b,await-answer,response 200,finish",
            program: .patient.after(.milliseconds(30)), client: "redirect(307)", second: "response(200) complete(ok)",
            harness: "answer(follow)"),
        ProtocolRow(
            name: "a redirect that is refused", script: "redirect /b,wait 20,response 302,data x,finish",
            program: .patient.redirecting("refuse"), client: "redirect(302) response(302) data complete(ok)",
            harness: "answer(refuse)"),
        ProtocolRow(
            name: "a redirect as Apple's sample ends it", script: "redirect /b,fail NSCocoaErrorDomain#3072",
            client: "redirect(302) complete(NSCocoaErrorDomain#3072)", harness: "answer(follow)"),
        ProtocolRow(
            name: "two redirects, the second refused",
            script: "redirect 301 /b,await-stop,redirect 302 /c,wait 20,response 302,finish",
            program: .patient.redirecting("follow", "refuse"), client: "redirect(301)",
            second: "redirect(302) response(302) complete(ok)", harness: "answer(follow) answer(refuse)"),
        ProtocolRow(
            name: "a challenge that is answered", script: "challenge basic,await-answer,response 200,data x,finish",
            program: .patient.challenged("use"), client: "challenge(basic) response(200) data complete(ok)",
            harness: "answer(use)"),
        ProtocolRow(
            name: "challenges one after the other",
            script: "challenge digest,await-answer,challenge default,await-answer,response 401,finish",
            program: .patient.challenged("use", "use-none"),
            client: "challenge(digest) challenge(default) response(401) complete(ok)",
            harness: "answer(use) answer(use-none)"),
        ProtocolRow(
            name: "a challenge that is answered late", script: "challenge basic,await-answer,response 200,finish",
            program: .patient.challenged("reject").after(.milliseconds(30)),
            client: "challenge(basic) response(200) complete(ok)", harness: "answer(reject)"),
        ProtocolRow(
            name: "a challenge without a program", script: "challenge basic,await-answer,response 401,finish",
            client: "challenge(basic) response(401) complete(ok)", harness: "answer(default)"),
        ProtocolRow(
            name: "a challenge that is withdrawn", script: "challenge basic,cancel-challenge,fail -1005",
            program: .patient.challenged("use"),
            client: "challenge(basic) challengeCancelled(basic) complete(connectionLost)"),
        ProtocolRow(
            name: "a challenge that is withdrawn before its late answer",
            script: "challenge basic,wait 20,cancel-challenge,wait 60,response 200,finish",
            program: .patient.challenged("use").after(.milliseconds(40)),
            client: "challenge(basic) challengeCancelled(basic) response(200) complete(ok)"),
        ProtocolRow(
            name: "a challenge that the client cancels the load at", script: "challenge basic,await-answer,finish",
            program: .patient.challenged("cancel-task"), client: "challenge(basic)", harness: "cancel"),
        ProtocolRow(
            name: "a cached response that is still good", script: "cached-response-valid,finish",
            client: "cacheValidated complete(ok)"),
        ProtocolRow(
            name: "a multipart response",
            script:
                "response 200 multipart/x-mixed-replace,data 1,response 200 multipart/x-mixed-replace,data 2,finish",
            client: "response(200) data response(200) data complete(ok)"),
        ProtocolRow(
            name: "a load that is stopped in mid-body", script: "response 200,data one,await-stop",
            program: .patient.cancelling(at: "data"), client: "response(200) data", harness: "cancel"),
        ProtocolRow(
            name: "a load that is stopped at its second chunk",
            script: "response 200,data 1,wait 20,data 2,wait 2s,finish",
            program: .patient.cancelling(at: "data", count: 2), client: "response(200) data data", harness: "cancel"),
        ProtocolRow(
            name: "a load that is stopped as soon as it runs", script: "wait 2s,response 200,finish",
            program: .patient.cancelling(at: "after-resume"), client: "", harness: "cancel"),
        ProtocolRow(
            name: "a load that is stopped before it runs", script: "response 200,finish",
            program: .patient.cancelling(at: "before-resume"), client: "", harness: "cancel"),
    ]

    static let illegal: [ProtocolRow] = [
        ProtocolRow(
            name: "R1: a challenge behind the response", script: "response 200,challenge basic,await-answer,finish",
            client: "response(200) challenge(basic) complete(ok)", harness: "answer(default)", rules: [1]),
        ProtocolRow(name: "R2: a success without a response", script: "finish", client: "complete(ok)", rules: [2]),
        ProtocolRow(
            name: "R3: a redirect behind the response", script: "response 200,redirect /b,wait 20,finish",
            program: .patient.redirecting("refuse"), client: "response(200) redirect(302) complete(ok)",
            harness: "answer(refuse)", rules: [3]),
        ProtocolRow(
            name: "R10: two challenges at once",
            script: "challenge basic,challenge basic,await-answer,response 200,finish",
            program: .patient.challenged("use"),
            client: "challenge(basic) challenge(basic) response(200) complete(ok)",
            harness: "answer(use) answer(use)", rules: [10]),
        ProtocolRow(
            name: "R10: a response while a challenge is open", script: "challenge basic,response 200,wait 20,finish",
            program: .patient.challenged("use"), client: "challenge(basic) response(200) complete(ok)",
            harness: "answer(use)", rules: [10]),
        ProtocolRow(
            name: "R11: a failure that does not withdraw its challenge", script: "challenge basic,wait 20,fail -1005",
            program: .patient.challenged("use").after(.seconds(10)),
            client: "challenge(basic) complete(connectionLost)",
            rules: [11]),
        ProtocolRow(
            name: "R20: a server's certificate is passed on",
            script: "challenge serverTrust,await-answer,response 200,finish",
            client: "challenge(serverTrust) response(200) complete(ok)", harness: "answer(default)", rules: [20]),
        ProtocolRow(
            name: "R25: data before the response", script: "data x,response 200,finish",
            client: "data response(200) complete(ok)", rules: [25]),
        ProtocolRow(
            name: "R26: a second response of no parts", script: "response 200,data 1,response 206,data 2,finish",
            client: "response(200) data response(206) data complete(ok)", rules: [26]),
        ProtocolRow(
            name: "R26: one response for all parts", script: "response 200 multipart/x-mixed-replace,data 12,finish",
            client: "response(200) data complete(ok)", rules: [26]),
        ProtocolRow(
            name: "R39: two successes", script: "response 200,finish,finish",
            client: "response(200) complete(ok) complete(ok)", rules: [39]),
        ProtocolRow(
            name: "R39: a success, then a failure", script: "response 200,finish,fail -1001",
            client: "response(200) complete(ok) complete(timedOut)", rules: [39]),
        ProtocolRow(
            name: "R39: a failure, then a success", script: "response 200,fail -1001,finish",
            client: "response(200) complete(timedOut) complete(ok)", rules: [39]),
        ProtocolRow(
            name: "R40: data behind the end", script: "response 200,finish,data x",
            client: "response(200) complete(ok) data", rules: [40]),
        ProtocolRow(
            name: "R45: a load that never ends", script: "response 200,data x,wait 60s,finish",
            client: "response(200) data", rules: [45], hangsAfter: .data),
        ProtocolRow(
            name: "R45: a protocol that waits for the client's stop", script: "await-stop", client: "", rules: [45],
            hangsAfter: .pStart),
        ProtocolRow(
            name: "R48: a response from another thread", script: "other: response 200,data x,finish",
            client: "response(200) data complete(ok)", rules: [48]),
        ProtocolRow(
            name: "R50: a failure behind the stop", script: "response 200,await-stop,fail -999",
            program: .patient.cancelling(at: "response"), client: "response(200) complete(cancelled)",
            harness: "cancel",
            rules: [50]),
        ProtocolRow(
            name: "R50: data and a success behind the stop", script: "response 200,wait 2s,await-stop,data x,finish",
            program: .patient.cancelling(at: "response"), client: "response(200) data complete(ok)", harness: "cancel",
            rules: [50]),
    ]
}

extension ProtocolProgram {
    func after(_ delay: Duration) -> ProtocolProgram {
        var program = self
        program.answerAfter = delay
        return program
    }
}
