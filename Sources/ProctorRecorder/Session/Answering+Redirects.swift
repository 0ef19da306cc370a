internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Answering {
    /// Says to a redirect what the program has for it.
    func answerRedirect(
        of task: URLSessionTask, proposed: URLRequest, _ handler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let script = role.nextRedirectAnswer()
        switch script.answer {
        case "follow": answer("follow", to: .redirect) { handler(proposed) }
        case "refuse": answer("refuse", to: .redirect) { handler(nil) }
        case "change":
            guard let changed = proposed.changed(by: script) else {
                unimplemented("onRedirect: '\(script.url ?? "")' is no URL this client can make")
                return answer("refuse", to: .redirect) { handler(nil) }
            }
            answer("change", to: .redirect) { handler(changed) }
        case "cancel": cancel(task)
        case "cancel-then-follow":
            cancel(task)
            answer("follow", to: .redirect) { handler(proposed) }
        case "cancel-then-refuse":
            cancel(task)
            answer("refuse", to: .redirect) { handler(nil) }
        case "twice":
            answer("follow", to: .redirect) { handler(proposed) }
            answer("follow", to: .redirect) { handler(proposed) }
        case "never": break
        default:
            unimplemented("onRedirect: \(script.answer)")
            answer("follow", to: .redirect) { handler(proposed) }
        }
    }
}

extension URLRequest {
    /// The request of a redirect with what the program wants otherwise; nil when its URL is none.
    fileprivate func changed(by answer: Assignment.RedirectAnswer) -> URLRequest? {
        var request = self
        if let text = answer.url {
            guard let url = URL(string: text, relativeTo: url) else { return nil }
            request.url = url.absoluteURL
        }
        if let method = answer.method { request.httpMethod = method }
        for header in answer.headers ?? [] where header.count == 2 {
            request.setValue(header[1], forHTTPHeaderField: header[0])
        }
        return request
    }
}
