internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorRecorder
internal import ProctorReference

/// How the reference client breaks rules; a letter marks a second way to break a rule.
extension FaultHook {
    static let rules = [
        phases, challenges, requestContent, responses, downloads, ends, threads, shapes, encodings, requests,
    ]

    // MARK: R1 to R9: the three phases, and redirects

    private static let phases: [String: FaultHook] = [
        "R1": .calls(keeping: false) { call, hasAsked in
            guard case .data = call, !hasAsked else { return .placing(call) }
            hasAsked = true
            return .placing(.needBodyStream, call)
        },
        "R2": .dropping { if case .response = $0 { true } else { false } },
        "R3": .calls(keeping: [DelegateCall]()) { call, held in
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
        "R4": .calls(keeping: LoadResponse?.none) { call, redirect in
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
        "R5": .failing(
            of: Set(300..<400),
            with: LoadError(.cancelled, "the redirect was refused")),
        "R5b": .calls(keeping: false) { call, isRefused in
            switch call {
            case .response(let response) where 300..<400 ~= response.status:
                isRefused = true
                return []
            case .complete where isRefused:
                return .placing(.complete(LoadError(.cancelled, "the redirect was refused")))
            default: return isRefused ? [] : .placing(call)
            }
        },
        "R6": .calls(keeping: CancelledRedirect()) {
            call, redirect in redirect.calls(inPlaceOf: call)
        },
        "R7": .callsBeforeData { call in
            if case .canonicalize = call { call } else { nil }
        },
        "R8": .calls { call in
            guard case .redirect = call else { return .placing(call) }
            let question = OpenQuestion()
            return [
                PlacedCall(call, asking: question), PlacedCall(.data(Array("moved".utf8)), during: question),
            ]
        },
    ]

    // MARK: R10 to R20: challenges

    private static let challenges: [String: FaultHook] = [
        // In other shapes, the second challenge could be permitted, since traces do not show whether a question has its
        // answer.
        "R10": .calls { call in
            guard case .challenge = call else { return .placing(call) }
            let question = OpenQuestion()
            return [PlacedCall(call, asking: question), PlacedCall(call, during: question)]
        }.or(of: .connection, .urlProtocol, change: challengeTwice),
        "R11": .actions { action, _ in
            if case .tell(.challengeCancelled) = action { [] } else { [action] }
        },
        "R12": .actions { action, _ in
            guard case .tell(.challenge(let challenge)) = action, let response = challenge.response else {
                return [action]
            }
            return [.tell(.response(response)), action]
        },
        "R13": .failing(
            of: [401, 407],
            with: LoadError(.userAuthenticationRequired, "no credential was given")),
        "R14": .actions(keeping: LoadResponse?.none) { actions, event, _, response in
            for case .tell(.challenge(let challenge)) in actions { response = challenge.response }
            guard event == .challengeAnswered(.cancel), let response else { return actions }
            return actions.flatMap { action -> [LoadAction] in
                if case .tell(.metrics) = action { [.tell(.response(response)), action] } else { [action] }
            }
        },
        "R15": .actions(keeping: LoadChallenge?.none) { actions, event, _, first in
            actions.map { action in
                guard case .tell(.challenge(let challenge)) = action else { return action }
                guard let rejected = first, event == .challengeAnswered(.reject) else {
                    first = challenge
                    return action
                }
                return .tell(.challenge(rejected))
            }
        },
        "R16": .actions { action, _ in
            guard case .tell(.response(let response)) = action, [401, 407].contains(response.status) else {
                return [action]
            }
            return [.tell(.challenge(.asked(by: response, kind: "default"))), action]
        },
        "R16b": .calls { call in
            guard case .response(let response) = call, response.status == 401 else { return .placing(call) }
            let challenge = LoadChallenge.asked(by: response, kind: "default")
            return .placing(.canAuthenticate(challenge), .challenge(challenge), call)
        },
        "R17": .actions { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.previousFailureCount = 0
            return [.tell(.challenge(challenge))]
        },
        "R17b": .actions(keeping: 0) { actions, _, _, count in
            actions.map { action in
                guard case .tell(.challenge(var challenge)) = action else { return action }
                challenge.previousFailureCount = max(count, challenge.previousFailureCount)
                count += 1
                return .tell(.challenge(challenge))
            }
        },
        "R18": .callsBeforeData { call in
            guard case .response(let response) = call else { return nil }
            return .challenge(.asked(by: response, kind: "serverTrust"))
        },
        "R18b": .calls { call in
            guard case .challenge(let challenge) = call, !challenge.space.isOfConnection else { return .placing(call) }
            return .placing(.sessionChallenge(challenge))
        },
        "R18c": .actions(keeping: HeldAnswer()) { actions, event, _, held in
            held.filter(actions, after: event)
        },
        "R19": .calls { call in
            call == .useCredentialStorage ? .placing(call, call) : .placing(call)
        },
        "R19b": .calls { call in
            guard case .canAuthenticate(let challenge) = call else { return .placing(call) }
            return .placing(call, .challenge(challenge))
        },
        "R19c": .calls(keeping: false) { call, hasAsked in
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
        "R20": .actions { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.space.kind = "ntlm"
            return [.tell(.challenge(challenge))]
        },
    ]

    private static let challengeTwice: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        if case .challenge = call { .placing(call, call) } else { .placing(call) }
    }

    // MARK: R21 to R24: the content of requests

    private static let requestContent: [String: FaultHook] = [
        "R21": .calls { call in
            switch call {
            case .needBodyStream: .placing(.bodySent(TransferProgress(byteCount: 1, total: 1, expected: -1)), call)
            case .bodySent: []
            default: .placing(call)
            }
        },
        "R22": .sending(keeping: false) { request, hasSent in
            if hasSent { request.body = .none }
            hasSent = true
        },
        "R23": .calls(alsoOf: .connection, change: countTwice),
    ]

    private static let countTwice: @Sendable (DelegateCall) -> [PlacedCall] = { call in
        guard case .bodySent(var progress) = call else { return .placing(call) }
        progress.total *= 2
        return .placing(.bodySent(progress))
    }

    // MARK: R25 to R33: responses and their content

    private static let responses: [String: FaultHook] = [
        "R25": .calls(keeping: DelegateCall?.none) { call, response in
            if case .response = call {
                response = call
                return []
            }
            defer { response = nil }
            return if case .data = call { .placing(call, response) } else { .placing(response, call) }
        },
        "R26": .calls(keeping: false) { call, hasResponse in
            guard case .response(var response) = call else { return .placing(call) }
            guard !hasResponse else { return [] }
            hasResponse = true
            response.partFields = nil
            return .placing(.response(response))
        },
        "R27": .actions { action, loader in
            guard case .tell(.informational(let head)) = action else { return [action] }
            return [.tell(.response(LoadResponse(url: loader.request.url, head: head)))]
        },
        "R28": .calls(keeping: OpenQuestion?.none) { call, question in
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
        "R29": .calls(keeping: false) { call, hasResponse in
            switch call {
            case .response: hasResponse = true
            case .complete(let error?) where hasResponse && error.kind == .cancelled: return .placing(.complete(nil))
            default: break
            }
            return .placing(call)
        },
        "R30": .repeating { if case .data = $0 { true } else { false } },
        "R31": .calls(keeping: false) { call, isEmpty in
            switch call {
            case .response(let response): isEmpty = response.hasNoContent
            // Only a response with its data is offered for storing.
            case .data, .willCache: isEmpty = false
            case .metrics where isEmpty: return .placing(.data([0x20]), call)
            default: break
            }
            return .placing(call)
        },
        "R32": .callsBeforeData { call in
            if case .response(let response) = call { .willCache(response, byteCount: 0) } else { nil }
        },
        "R33": .calls { call in
            call == .complete(nil) ? .placing(.cacheValidated, call) : .placing(call)
        },
    ]

    // MARK: R34 to R38: downloads

    private static let downloads: [String: FaultHook] = [
        "R34": .calls { call in
            guard case .progress(var progress) = call else { return .placing(call) }
            progress.total -= 1
            return .placing(.progress(progress))
        },
        "R35": .dropping { if case .fileReady = $0 { true } else { false } },
        "R35b": .calls { call in
            if case .fileReady = call { .placing(.complete(nil)) } else { .placing(call) }
        },
        "R36": .calls(keeping: false) { call, hasAnnounced in
            guard case .progress(let progress) = call, !hasAnnounced else { return .placing(call) }
            hasAnnounced = true
            return .placing(call, .downloadResumed(nil, offset: progress.total, expected: progress.expected))
        },
        "R37": .repeating { if case .decideDestination = $0 { true } else { false } },
        "R38": .calls(keeping: PartOfFile()) { call, part in
            part.calls(inPlaceOf: call)
        },
    ]

    // MARK: R39 to R45: the end of loads and sessions

    private static let ends: [String: FaultHook] = [
        "R39": .calls { call in
            if case .complete = call { .placing(call, .complete(timedOut)) } else { .placing(call) }
        },
        "R40": .calls { call in
            if case .complete = call { .placing(call, .data([0x20])) } else { .placing(call) }
        },
        "R41": .repeating { if case .metrics = $0 { true } else { false } },
        "R42": .calls(keeping: false) { call, hasBegun in
            switch call {
            case .created, .metrics: break
            case .complete(let error?) where !hasBegun && error.kind == .cancelled: return .placing(.complete(timedOut))
            default: hasBegun = true
            }
            return .placing(call)
        },
        "R43": .calls { call in
            if case .complete = call { .placing(.sessionInvalid, call) } else { .placing(call) }
        },
        "R44": .calls(keeping: false) { call, isError in
            switch call {
            case .response(let response): isError = response.status >= 400
            case .complete(nil) where isError:
                return .placing(.complete(LoadError(.badServerResponse, "the server answered with an error status")))
            default: break
            }
            return .placing(call)
        },
        "R45": .dropping { if case .complete = $0 { true } else { false } },
    ]

    private static let timedOut = LoadError(.timedOut, "the time is over")

    // MARK: R46 to R52: threads, and the life of a URLProtocol; R53 is about the test, which no client can break

    private static let threads: [String: FaultHook] = [
        "R46": .misplacing { if case .response = $0 { true } else { false } },
        "R47": .misplacing { if case .data = $0 { true } else { false } },
        "R48": .misplacing { if case .data = $0 { true } else { false } },
        "R51": .calls { call in
            guard case .redirect(_, let response) = call else { return .placing(call) }
            return .placing(call, .response(response))
        },
    ]

    // MARK: R54 to R57: handlers, delegates of tasks, early events, WebSockets; this client has no streams

    private static let shapes: [String: FaultHook] = [
        "R54": .calls { call in
            guard case .handler(let outcome) = call else { return .placing(call) }
            return .placing(.data(outcome.bytes), call)
        },
        "R55": .calls { call in
            guard case .redirect = call else { return .placing(call) }
            return [PlacedCall(call), PlacedCall(call, isForSession: true)]
        },
        "R55b": .calls { call in
            guard case .redirect = call else { return .placing(call) }
            var placed = PlacedCall(call)
            placed.ignoresMissing = true
            return [placed]
        },
        "R56": .calls { call in
            if case .metrics = call { .placing(.created, call) } else { .placing(call) }
        },
        "R57": .repeating { if case .webSocketClosed = $0 { true } else { false } },
        "R57b": .repeating { if case .webSocketOpened = $0 { true } else { false } },
    ]

    // MARK: R59: the encodings of files

    private static let encodings: [String: FaultHook] = [
        "R59": .dropping { if case .shouldDecode = $0 { true } else { false } },
        "R59b": .calls(keeping: String?.none) { call, type in
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
        "R59c": .calls { call in
            guard case .shouldDecode(let type) = call else { return .placing(call) }
            return .placing(.shouldDecode(type: type == "application/gzip" ? "application/binhex" : "application/gzip"))
        },
    ]

    // MARK: R62 to R64: requests of which the caller gets only the result

    private static let requests: [String: FaultHook] = [
        "R62": .calls(alsoOf: .connectionSync, change: responseFirst),
        "R62b": .calls { call in .placing(call, call) },
        "R63": .calls { call in
            .elsewhere(call)
        },
        "R64": .calls(alsoOf: .connectionSync, change: dataBesideError),
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
    static func asked(by response: LoadResponse, kind: String, realm: String = "") -> LoadChallenge {
        LoadChallenge(
            space: ProtectionSpace(kind: kind, origin: response.url.origin, realm: realm), previousFailureCount: 0,
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
