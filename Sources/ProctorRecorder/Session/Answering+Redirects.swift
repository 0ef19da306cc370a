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
        var plan = script.plan
        let changed = proposed.changed(by: script)
        if plan == [.answer("change")], changed == nil {
            plan = [
                .unimplemented("onRedirect: '\(script.url ?? "")' is no URL this client can make"), .answer("refuse"),
            ]
        }
        carryOut(plan, to: .redirect, cancelling: task) { word in
            handler(word == "refuse" ? nil : word == "change" ? changed : proposed)
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
