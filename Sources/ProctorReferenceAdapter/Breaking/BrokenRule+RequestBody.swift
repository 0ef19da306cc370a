internal import ProctorRecorder
internal import ProctorReference

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
}
