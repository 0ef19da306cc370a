import ProctorBase
import ProctorHTTP

@testable import ProctorReference

/// Actions and heads in a few letters, so that a table of them can be read.
enum LoaderScript {
    /// The head that a server wrote so; nil when it is none.
    static func head(_ text: String, to method: String = "GET") -> ReplyHead? {
        var reader = ReplyReader()
        reader.expectReply(to: Array(method.utf8))
        var offset = 0
        guard case .head(let head)? = reader.next(Array(text.utf8).span, at: &offset) else { return nil }
        return head
    }

    static func text(_ action: LoadAction) -> String {
        switch action {
        case .send(let request, let onNewConnection):
            let credential = request.fields.contains(named: "Authorization") ? " with credential" : ""
            let body = request.body == .none ? "" : " with body"
            return "send \(request.method) \(request.url.path)\(credential)\(body)\(onNewConnection ? " anew" : "")"
        case .openTunnel(let request):
            let credential = request.fields.value(of: "Proxy-Authorization").map { " + \($0)" } ?? ""
            return "\(request.method) \(request.url.origin.hostAndPort)\(credential)"
        case .drain: return "drain"
        case .answerHandshake(let answer): return text(answer)
        case .abort: return "abort"
        case .tell(let call): return text(call)
        }
    }

    static func text(_ answer: HandshakeAnswer) -> String {
        switch answer {
        case .trust: "trust"
        case .distrust: "distrust"
        case .identify(let identity): "identify \(identity.key.count)"
        case .stayAnonymous: "stay anonymous"
        case .identifyByDefault: "identify by default"
        }
    }

    static func text(_ call: DelegateCall) -> String {
        switch call {
        case .canonicalize(let request): "canonicalize \(request.url.path)"
        case .redirect(let request, let response):
            "redirect(\(response.status)) to \(request.method) \(request.url.path)"
        case .challenge(let challenge) where challenge.space.isOfConnection: "challenge(\(challenge.space.kind))"
        case .challenge(let challenge): "challenge(\(challenge.space.realm)) \(challenge.previousFailureCount)"
        case .challengeCancelled: "challengeCancelled"
        case .needBodyStream: "needBodyStream"
        case .bodySent(let progress): "bodySent \(progress.byteCount) \(progress.total)/\(progress.expected)"
        case .informational(let head): "informational(\(head.status))"
        case .response(let response): "response(\(response.status))\(response.partFields == nil ? "" : " of part")"
        case .data(let bytes): "data \(String(decoding: bytes, as: UTF8.self))"
        case .willCache: "willCache"
        case .metrics(let metrics): "metrics \(metrics.exchangeCount)"
        case .complete(let error): "complete(\(error.map { "\($0.kind)" } ?? "ok"))"
        default: "\(call)"
        }
    }
}

extension ClientURL {
    var path: String { String(decoding: reference.path, as: UTF8.self) }
}
