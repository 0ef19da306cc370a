internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorRecorder
internal import ProctorReference

/// R1 to R9: the three phases, and redirects.
extension BrokenRule {
    static let shape: [BrokenRule] = [
        .calls(1, "ask for the body's stream after the response", keeping: false) { call, hasAsked in
            guard case .data = call, !hasAsked else { return .made(call) }
            hasAsked = true
            return .made(.needBodyStream, call)
        },
        .calls(2, "keep the response to itself") { call in
            if case .response = call { [] } else { .made(call) }
        },
        .calls(3, "tell of a redirect after the response it led to", keeping: [DelegateCall]()) { call, held in
            switch call {
            case .redirect:
                held.append(call)
                return []
            case .data, .metrics:
                defer { held = [] }
                return (held + [call]).map { PlacedCall($0) }
            default: return .made(call)
            }
        },
        .calls(4, "deliver the head of a redirect that is followed", keeping: LoadResponse?.none) { call, redirect in
            switch call {
            case .redirect(_, let response): redirect = response
            case .response(let response):
                defer { redirect = nil }
                // Of a redirect that is refused it is the response.
                guard let redirect, redirect != response else { break }
                return .made(.response(redirect), call)
            default: break
            }
            return .made(call)
        },
        .failingInstead(
            5, "fail when a redirect is refused", of: Set(300..<400),
            with: LoadError(.cancelled, "the redirect was refused")),
        .calls(6, "deliver the redirect's response after a cancel in its callback", keeping: CancelledRedirect()) {
            call, redirect in redirect.calls(inPlaceOf: call)
        },
        .calls(
            7, "announce the canonical request again after the response", of: .connection, keeping: DelegateCall?.none
        ) {
            call, announced in
            switch call {
            case .canonicalize: announced = call
            case .data:
                defer { announced = nil }
                return announced.map { .made($0, call) } ?? .made(call)
            default: break
            }
            return .made(call)
        },
        .calls(8, "deliver data while a redirect is unanswered") { call in
            guard case .redirect = call else { return .made(call) }
            let question = OpenQuestion()
            return [.question(call, question), .during(question, .data(Array("moved".utf8)))]
        },
        followsThirty,
    ]

    private static let followsThirty = {
        var broken = BrokenRule(RuleNumber(9), "follow thirty redirects")
        broken.breakage.redirectLimit = 30
        return broken
    }()

    /// A response of such a status, with all that follows it, becomes an error.
    static func failingInstead(
        _ rule: Int, _ name: String, of statuses: Set<Int>, with error: LoadError
    ) -> BrokenRule {
        .calls(rule, name, keeping: false) { call, isSwallowing in
            switch call {
            case .response(let response) where statuses.contains(response.status):
                isSwallowing = true
                return []
            case .data where isSwallowing: return []
            case .complete(nil) where isSwallowing: return .made(.complete(error))
            default: return .made(call)
            }
        }
    }
}

/// The redirect of a task until something else than its end shows that it was not cancelled there.
private struct CancelledRedirect: Sendable {
    private var response: LoadResponse?
    /// Metrics come before the end, which alone tells of a cancel.
    private var metrics: DelegateCall?

    mutating func calls(inPlaceOf call: DelegateCall) -> [PlacedCall] {
        switch call {
        case .redirect(_, let response):
            self.response = response
            return .made(call)
        case .metrics where response != nil:
            metrics = call
            return []
        default:
            let isCancelled = if case .complete(let error?) = call { error.kind == .cancelled } else { false }
            let told = isCancelled ? response.map { DelegateCall.response($0) } : nil
            defer { (response, metrics) = (nil, nil) }
            return .made(told, metrics, call)
        }
    }
}

/// R21 to R24: the content of requests.
extension BrokenRule {
    static let requestBody: [BrokenRule] = [
        .calls(21, "tell of bytes sent before their stream is asked for") { call in
            switch call {
            case .needBodyStream:
                .made(.bodySent(TransferProgress(byteCount: 1, total: 1, expected: -1)), call)
            case .bodySent: []
            default: .made(call)
            }
        },
        .actions(22, "send a body only the first time", keeping: false) { actions, _, _, hasSent in
            actions.map { action in
                guard case .send(var request, let onNewConnection) = action else { return action }
                if hasSent { request.body = .none }
                hasSent = true
                return .send(request, onNewConnection: onNewConnection)
            }
        },
        .calls(23, "count sent bytes twice in the total") { call in
            guard case .bodySent(var progress) = call else { return .made(call) }
            progress.total *= 2
            return .made(.bodySent(progress))
        },
        .driver(24, "tell a task of upload progress while a protocol loads it", .tellsUpload),
    ]

    // MARK: R25 to R33: responses and their content

    static let response: [BrokenRule] = [
        .calls(25, "data before response", keeping: DelegateCall?.none) { call, response in
            switch call {
            case .response:
                response = call
                return []
            case .data:
                defer { response = nil }
                return response.map { .made(call, $0) } ?? .made(call)
            // There is no data.
            default:
                defer { response = nil }
                return response.map { .made($0, call) } ?? .made(call)
            }
        },
        .calls(26, "deliver all parts under one response", keeping: false) { call, hasResponse in
            guard case .response(var response) = call else { return .made(call) }
            guard !hasResponse else { return [] }
            hasResponse = true
            response.partFields = nil
            return .made(.response(response))
        },
        .actions(27, "take an interim response for the final one") { action, loader in
            guard case .tell(.informational(let head)) = action else { return [action] }
            return [.tell(.response(LoadResponse(url: loader.request.url, head: head)))]
        },
        .calls(28, "deliver data before the disposition is given", keeping: OpenQuestion?.none) { call, question in
            switch call {
            // Where there can be none it would break R31, too.
            case .response(let response) where !response.hasNoContent:
                let asked = OpenQuestion()
                question = asked
                return [.question(call, asked), .during(asked, .data([0x20]))]
            case .data where question?.wasUsed == true: return []
            default: return .made(call)
            }
        },
        .calls(29, "end well although the disposition was to cancel", keeping: false) { call, hasResponse in
            switch call {
            case .response: hasResponse = true
            case .complete(let error?) where hasResponse && error.kind == .cancelled: return .made(.complete(nil))
            default: break
            }
            return .made(call)
        },
        .calls(30, "deliver everything twice") { call in
            if case .data = call { .made(call, call) } else { .made(call) }
        },
        .calls(31, "deliver data where there can be none", keeping: false) { call, isEmpty in
            switch call {
            case .response(let response): isEmpty = response.hasNoContent
            // What is offered for storing has had its data.
            case .data, .willCache: isEmpty = false
            case .metrics where isEmpty: return .made(.data([0x20]), call)
            default: break
            }
            return .made(call)
        },
        .calls(32, "offer a response for storing before its data", keeping: LoadResponse?.none) { call, response in
            switch call {
            case .response(let received): response = received
            case .data:
                defer { response = nil }
                return response.map { .made(.willCache($0, byteCount: 0), call) } ?? .made(call)
            default: break
            }
            return .made(call)
        },
        .calls(33, "say that the cached response holds, after another one", of: .urlProtocol) { call in
            call == .complete(nil) ? .made(.cacheValidated, call) : .made(call)
        },
    ]
}

extension LoadResponse {
    /// By its status, or by a length of 0.
    fileprivate var hasNoContent: Bool {
        let lengths = head.fields.values(named: "Content-Length").map { Array($0) }
        return [204, 205, 304].contains(status) || lengths == [Array("0".utf8)]
    }
}
