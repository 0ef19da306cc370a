internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorRecorder
internal import ProctorReference

extension Breakage {
    /// Every rule that this client can break, in the order of the numbers; a letter marks a second way to break a rule.
    package static let rules: [Breakage] =
        phases + challenges + requestContent + responses + downloads + ends + threads + shapes
        + encodings + classes + requests + delegates + eventSourceRules

    // MARK: R1 to R9: the three phases, and redirects

    private static let phases: [Breakage] = [
        .calls("R1", "ask for the body's stream after the response", keeping: false) { call, hasAsked in
            guard case .data = call, !hasAsked else { return .placing(call) }
            hasAsked = true
            return .placing(.needBodyStream, call)
        },
        .calls("R2", "keep the response to itself") { call in
            if case .response = call { [] } else { .placing(call) }
        },
        .calls("R3", "tell of a redirect after the response it led to", keeping: [DelegateCall]()) { call, held in
            switch call {
            case .redirect:
                held.append(call)
                return []
            case .data, .metrics:
                defer { held = [] }
                return (held + [call]).map { PlacedCall($0) }
            default: return .placing(call)
            }
        },
        .calls("R4", "deliver the head of a redirect that is followed", keeping: LoadResponse?.none) { call, redirect in
            switch call {
            case .redirect(_, let response): redirect = response
            case .response(let response):
                defer { redirect = nil }
                // The response to a refused redirect is permitted.
                if let redirect, redirect != response { return .placing(.response(redirect), call) }
            default: break
            }
            return .placing(call)
        },
        .failing(
            "R5", "fail when a redirect is refused", of: Set(300..<400),
            with: LoadError(.cancelled, "the redirect was refused")),
        .calls("R5b", "fail when a redirect of a download is refused", of: .download, keeping: false) {
            call, isRefused in
            switch call {
            case .response(let response) where 300..<400 ~= response.status:
                isRefused = true
                return []
            case .complete where isRefused:
                return .placing(.complete(LoadError(.cancelled, "the redirect was refused")))
            default: return isRefused ? [] : .placing(call)
            }
        },
        .calls("R6", "deliver the redirect's response after a cancel in its callback", keeping: CancelledRedirect()) {
            call, redirect in redirect.calls(inPlaceOf: call)
        },
        .setting("R6b", "download the redirect after a cancel in its callback", as: .download) {
            $0.downloadFault = .goesOnAfterCancel
        },
        .callsBeforeData("R7", "announce the canonical request again after the response", of: .connection) { call in
            if case .canonicalize = call { call } else { nil }
        },
        .calls("R8", "deliver data while a redirect is unanswered") { call in
            guard case .redirect = call else { return .placing(call) }
            let question = OpenQuestion()
            return [
                PlacedCall(call, asking: question), PlacedCall(.data(Array("moved".utf8)), during: question),
            ]
        },
        .setting("R9", "follow thirty redirects") { $0.redirectLimit = 30 },
    ]

    // MARK: R10 to R20: challenges

    private static let challenges: [Breakage] = [
        // In other shapes, the second challenge could be permitted, since traces do not show whether a question has its
        // answer.
        .calls("R10", "two challenges at once") { call in
            guard case .challenge = call else { return .placing(call) }
            let question = OpenQuestion()
            return [PlacedCall(call, asking: question), PlacedCall(call, during: question)]
        }.andCalls(of: .connection, change: challengeTwice).andCalls(of: .urlProtocol, change: challengeTwice),
        .actions("R11", "fail without cancelling the challenge", as: .urlProtocol) { action, _ in
            if case .tell(.challengeCancelled) = action { [] } else { [action] }
        },
        .actions("R12", "deliver the 401 before its challenge") { action, _ in
            guard case .tell(.challenge(let challenge)) = action, let response = challenge.response else {
                return [action]
            }
            return [.tell(.response(response)), action]
        },
        .failing(
            "R13", "fail when there is no credential", of: [401, 407],
            with: LoadError(.userAuthenticationRequired, "no credential was given")),
        .actions("R14", "deliver the 401 of a challenge that is cancelled", keeping: LoadResponse?.none) {
            actions, event, _, response in
            for case .tell(.challenge(let challenge)) in actions { response = challenge.response }
            guard event == .challengeAnswered(.cancel), let response else { return actions }
            return actions.flatMap { action -> [LoadAction] in
                if case .tell(.metrics) = action { [.tell(.response(response)), action] } else { [action] }
            }
        },
        .actions("R15", "ask again for the space that was rejected", keeping: LoadChallenge?.none) {
            actions, event, _, first in
            actions.map { action in
                guard case .tell(.challenge(let challenge)) = action else { return action }
                guard let rejected = first, event == .challengeAnswered(.reject) else {
                    first = challenge
                    return action
                }
                return .tell(.challenge(rejected))
            }
        },
        .actions("R16", "ask for a credential where the 401 names no scheme") { action, _ in
            guard case .tell(.response(let response)) = action, [401, 407].contains(response.status) else {
                return [action]
            }
            return [.tell(.challenge(.asked(by: response, kind: "default"))), action]
        },
        .calls("R16b", "ask about a download for a credential where the 401 names no scheme", of: .download) { call in
            guard case .response(let response) = call, response.status == 401 else { return .placing(call) }
            let challenge = LoadChallenge.asked(by: response, kind: "default")
            return .placing(.canAuthenticate(challenge), .challenge(challenge), call)
        },
        .actions("R17", "count no failures") { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.previousFailureCount = 0
            return [.tell(.challenge(challenge))]
        },
        .actions("R17b", "count the failures of all realms together", keeping: 0) { actions, _, _, count in
            actions.map { action in
                guard case .tell(.challenge(var challenge)) = action else { return action }
                challenge.previousFailureCount = max(count, challenge.previousFailureCount)
                count += 1
                return .tell(.challenge(challenge))
            }
        },
        .callsBeforeData("R18", "ask for trust after the response") { call in
            guard case .response(let response) = call else { return nil }
            return .challenge(.asked(by: response, kind: "serverTrust"))
        },
        .calls("R18b", "ask for a user's name by the method of the session") { call in
            guard case .challenge(let challenge) = call, !challenge.space.isOfConnection else { return .placing(call) }
            return .placing(.sessionChallenge(challenge))
        },
        .actions("R18c", "ask twice about one certificate", keeping: HeldAnswer()) { actions, event, _, held in
            held.filter(actions, after: event)
        },
        .calls("R19", "ask twice whether credentials may be taken from the storage", of: .connection) { call in
            call == .useCredentialStorage ? .placing(call, call) : .placing(call)
        },
        .calls("R19b", "challenge although the delegate said that it can't authenticate", of: .connection) { call in
            guard case .canAuthenticate(let challenge) = call else { return .placing(call) }
            return .placing(call, .challenge(challenge))
        },
        .calls("R19c", "ask by the old methods, too, where the new one is there", of: .connection, keeping: false) {
            call, hasAsked in
            switch call {
            case .canAuthenticate: hasAsked = true
            // The answer to this call leads to the challenge.
            case .challenge(let challenge) where !hasAsked:
                hasAsked = true
                return .placing(.canAuthenticate(challenge))
            case .challenge: hasAsked = false
            default: break
            }
            return .placing(call)
        },
        .actions("R20", "forward a challenge that is its own to answer", as: .urlProtocol) { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.space.kind = "ntlm"
            return [.tell(.challenge(challenge))]
        },
        .setting("R20b", "ask the client whether a server is trusted", as: .urlProtocol) { $0.forwardsTrust = true },
    ]

    private static let challengeTwice: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        if case .challenge = call { .placing(call, call) } else { .placing(call) }
    }

    // MARK: R21 to R24: the content of requests

    private static let requestContent: [Breakage] = [
        .calls("R21", "tell of bytes sent before their stream is asked for") { call in
            switch call {
            case .needBodyStream: .placing(.bodySent(TransferProgress(byteCount: 1, total: 1, expected: -1)), call)
            case .bodySent: []
            default: .placing(call)
            }
        },
        .sending("R22", "send a body only the first time", keeping: false) { request, hasSent in
            if hasSent { request.body = .none }
            hasSent = true
        },
        .calls("R23", "count sent bytes twice in the total", of: .session, change: countTwice)
            .andCalls(of: .connection, change: countTwice),
        .driver("R24", "tell a task of upload progress while a protocol loads it", fault: .tellsUpload),
        .driver("R24b", "ask for the credential storage while a protocol loads", fault: .asksForTheStore),
        .driver("R24c", "ask whether a protection space can be answered while a protocol loads", fault: .asksOfSpaces),
    ]

    private static let countTwice: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        guard case .bodySent(var progress) = call else { return .placing(call) }
        progress.total *= 2
        return .placing(.bodySent(progress))
    }

    // MARK: R25 to R33: responses and their content

    private static let responses: [Breakage] = [
        .calls("R25", "data before response", keeping: DelegateCall?.none) { call, response in
            if case .response = call {
                response = call
                return []
            }
            defer { response = nil }
            return if case .data = call { .placing(call, response) } else { .placing(response, call) }
        },
        .calls("R26", "deliver all parts under one response", keeping: false) { call, hasResponse in
            guard case .response(var response) = call else { return .placing(call) }
            guard !hasResponse else { return [] }
            hasResponse = true
            response.partFields = nil
            return .placing(.response(response))
        },
        .actions("R27", "take an interim response for the final one") { action, loader in
            guard case .tell(.informational(let head)) = action else { return [action] }
            return [.tell(.response(LoadResponse(url: loader.request.url, head: head)))]
        },
        .calls("R28", "deliver data before the disposition is given", keeping: OpenQuestion?.none) { call, question in
            switch call {
            // Without permitted content, it would break R31 too.
            case .response(let response) where !response.hasNoContent:
                let asked = OpenQuestion()
                question = asked
                return [PlacedCall(call, asking: asked), PlacedCall(.data([0x20]), during: asked)]
            case .data where question?.wasUsed == true: return []
            default: return .placing(call)
            }
        },
        .calls("R29", "end well although the disposition was to cancel", keeping: false) { call, hasResponse in
            switch call {
            case .response: hasResponse = true
            case .complete(let error?) where hasResponse && error.kind == .cancelled: return .placing(.complete(nil))
            default: break
            }
            return .placing(call)
        },
        .calls("R30", "deliver everything twice") { call in
            if case .data = call { .placing(call, call) } else { .placing(call) }
        },
        .calls("R31", "deliver data where there can be none", keeping: false) { call, isEmpty in
            switch call {
            case .response(let response): isEmpty = response.hasNoContent
            // Only a response with its data is offered for storing.
            case .data, .willCache: isEmpty = false
            case .metrics where isEmpty: return .placing(.data([0x20]), call)
            default: break
            }
            return .placing(call)
        },
        .callsBeforeData("R32", "offer a response for storing before its data") { call in
            if case .response(let response) = call { .willCache(response, byteCount: 0) } else { nil }
        },
        .calls("R33", "say that the cached response holds, after another one", of: .urlProtocol) { call in
            call == .complete(nil) ? .placing(.cacheValidated, call) : .placing(call)
        },
    ]

    // MARK: R34 to R38: downloads

    private static let downloads: [Breakage] = [
        .calls("R34", "leave a byte out of the total") { call in
            guard case .progress(var progress) = call else { return .placing(call) }
            progress.total -= 1
            return .placing(.progress(progress))
        },
        .calls("R35", "keep the finished file to itself") { call in
            if case .fileReady = call { [] } else { .placing(call) }
        },
        .calls("R35b", "finish as a connection that has no file", of: .connectionDownload) { call in
            if case .fileReady = call { .placing(.complete(nil)) } else { .placing(call) }
        },
        .calls("R36", "announce a resumption after the first progress", keeping: false) { call, hasAnnounced in
            guard case .progress(let progress) = call, !hasAnnounced else { return .placing(call) }
            hasAnnounced = true
            return .placing(call, .downloadResumed(nil, offset: progress.total, expected: progress.expected))
        },
        .calls("R37", "ask twice where the file is to go", of: .download) { call in
            if case .decideDestination = call { .placing(call, call) } else { .placing(call) }
        },
        .calls("R38", "hand over what there is of a file after the cancel", keeping: PartOfFile()) { call, part in
            part.calls(inPlaceOf: call)
        },
    ]

    // MARK: R39 to R45: the end of loads and sessions

    private static let ends: [Breakage] = [
        .calls("R39", "end twice") { call in
            if case .complete = call { .placing(call, .complete(timedOut)) } else { .placing(call) }
        },
        .calls("R40", "deliver data after the end") { call in
            if case .complete = call { .placing(call, .data([0x20])) } else { .placing(call) }
        },
        .calls("R41", "tell metrics twice") { call in
            if case .metrics = call { .placing(call, call) } else { .placing(call) }
        },
        .calls("R42", "let a task that was cancelled before its start time out", keeping: false) { call, hasBegun in
            switch call {
            case .created, .metrics: break
            case .complete(let error?) where !hasBegun && error.kind == .cancelled: return .placing(.complete(timedOut))
            default: hasBegun = true
            }
            return .placing(call)
        },
        .calls("R43", "end the session before its task") { call in
            if case .complete = call { .placing(.sessionInvalid, call) } else { .placing(call) }
        },
        .calls("R44", "take a status from 400 on for an error of the load", keeping: false) { call, isError in
            switch call {
            case .response(let response): isError = response.status >= 400
            case .complete(nil) where isError:
                return .placing(.complete(LoadError(.badServerResponse, "the server answered with an error status")))
            default: break
            }
            return .placing(call)
        },
        .calls("R45", "say nothing of the end") { call in
            if case .complete = call { [] } else { .placing(call) }
        },
    ]

    private static let timedOut = LoadError(.timedOut, "the time is over")

    // MARK: R46 to R52: threads, and the life of a URLProtocol; R53 is about the test, which no client can break

    private static let threads: [Breakage] = [
        .calls("R46", "call the delegate from another thread than its queue's") { call in
            if case .response = call { .elsewhere(call) } else { .placing(call) }
        },
        .calls("R47", "call the delegate from another thread than its run loop's", of: .connection) { call in
            if case .data = call { .elsewhere(call) } else { .placing(call) }
        },
        .setting("R47b", "call back on the thread that made the connection, wherever it is scheduled", as: .connection)
        {
            $0.ignoresSchedule = true
        },
        .calls("R48", "call the client from another thread", of: .urlProtocol) { call in
            if case .data = call { .elsewhere(call) } else { .placing(call) }
        },
        .driver("R49", "let a protocol object go that was never stopped", fault: .neverStops),
        .setting("R50", "go on when the client stops the object", as: .urlProtocol) { $0.ignoresStop = true },
        .calls("R51", "go on with the redirect's response though the client has followed it", of: .urlProtocol) {
            call in
            guard case .redirect(_, let response) = call else { return .placing(call) }
            return .placing(call, .response(response))
        },
        .driver(
            "R52", "start a protocol object for a request whose canonical form was not asked for",
            fault: .skipsCanonicalForm),
        .setting("R52b", "keep the request in a variable of the class while its form is made", as: .urlProtocol) {
            $0.classFault = .sharesScratch
        },
        .setting("R52c", "take requests for equivalent only where they are spelled alike", as: .urlProtocol) {
            $0.classFault = .comparesSpellings
        },
    ]

    // MARK: R54 to R57: handlers, delegates of tasks, early events, WebSockets; this client has no streams

    private static let shapes: [Breakage] = [
        .calls("R54", "tell the delegate of a task with a handler of its data") { call in
            guard case .handler(let outcome) = call else { return .placing(call) }
            return .placing(.data(outcome.bytes), call)
        },
        .calls("R55", "tell both delegates of a redirect") { call in
            guard case .redirect = call else { return .placing(call) }
            return [PlacedCall(call), PlacedCall(call, isForSession: true)]
        },
        .calls("R55b", "tell a delegate of a redirect though it has no method for it") { call in
            guard case .redirect = call else { return .placing(call) }
            var told = PlacedCall(call)
            told.ignoresMissing = true
            return [told]
        },
        .calls("R56", "tell of the task when it is about to end") { call in
            if case .metrics = call { .placing(.created, call) } else { .placing(call) }
        },
        .calls("R57", "tell twice that the WebSocket was closed") { call in
            if case .webSocketClosed = call { .placing(call, call) } else { .placing(call) }
        },
        .calls("R57b", "tell twice that the WebSocket is open") { call in
            if case .webSocketOpened = call { .placing(call, call) } else { .placing(call) }
        },
    ]

    // MARK: R59: the encodings of files

    private static let encodings: [Breakage] = [
        .calls("R59", "never ask whether an encoded file is decoded", of: .download) { call in
            if case .shouldDecode = call { [] } else { .placing(call) }
        },
        .calls("R59b", "ask of every file whether it is decoded", of: .download, keeping: String?.none) { call, type in
            switch call {
            case .response(let response): type = response.mimeType ?? "application/octet-stream"
            case .shouldDecode: type = nil
            case .decideDestination:
                defer { type = nil }
                return .placing(type.map { .shouldDecode(type: $0) }, call)
            default: break
            }
            return .placing(call)
        },
        .calls("R59c", "ask about another type than the server said", of: .download) { call in
            guard case .shouldDecode(let type) = call else { return .placing(call) }
            return .placing(.shouldDecode(type: type == "application/gzip" ? "application/binhex" : "application/gzip"))
        },
    ]

    // MARK: R60: classes of protocols

    private static let classes: [Breakage] = [
        .driver("R60", "make a protocol object of a class that declined", fault: .startsWhatWasDeclined),
        .protocolFault("R61", "keep itself for ever", fault: .keepsItself),
    ]

    // MARK: R62 to R64: requests of which the caller gets only the result

    private static let requests: [Breakage] = [
        .calls("R62", "tell of the response before the result", of: .connectionQueued, change: responseFirst)
            .andCalls(of: .connectionSync, change: responseFirst),
        .calls("R62b", "call the block twice", of: .connectionQueued) { call in .placing(call, call) },
        .calls("R63", "call the block on another thread than its queue's", of: .connectionQueued) { call in
            .elsewhere(call)
        },
        .calls("R64", "hand over data beside the error", of: .connectionQueued, change: dataBesideError)
            .andCalls(of: .connectionSync, change: dataBesideError),
    ]

    // MARK: R65: the life of a delegate

    private static let delegates: [Breakage] = [
        .setting("R65", "hold the delegate for ever") { $0.keepsDelegate = true }
    ]

    private static let responseFirst: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        guard case .handler(let outcome) = call else { return .placing(call) }
        return .placing(outcome.response.map { .response($0) }, call)
    }

    private static let dataBesideError: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        guard case .handler(var outcome) = call, outcome.error != nil else { return .placing(call) }
        outcome.bytes = Array("half".utf8)
        return .placing(.handler(outcome))
    }
}

extension LoadChallenge {
    /// A challenge that the loader itself would not make.
    fileprivate static func asked(by response: LoadResponse, kind: String) -> LoadChallenge {
        LoadChallenge(
            space: ProtectionSpace(kind: kind, origin: response.url.origin, realm: ""), previousFailureCount: 0,
            response: response)
    }
}

extension LoadResponse {
    /// Whether the response has no content, by its status or by a length of 0.
    fileprivate var hasNoContent: Bool {
        let lengths = head.fields.values(named: "Content-Length").map { Array($0) }
        return [204, 205, 304].contains(status) || lengths == [Array("0".utf8)]
    }
}
