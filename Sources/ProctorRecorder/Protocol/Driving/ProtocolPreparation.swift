internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What comes before an object is started: the questions to its class, and its making.
struct ProtocolPreparation {
    let run: ProtocolRun
    /// Of the object that is to be made.
    let number: Int

    enum Outcome {
        case refused(String)
        case made(Handover<URLProtocol>)
    }

    /// Calls the class as R52 wants it, and the canonical form more often than needed, to see whether it is a function.
    func prepare(_ request: URLRequest) -> Outcome {
        let type = run.maker.protocolClass
        let accepts = type.canInit(with: request)
        run.record(
            .proto, .pCanInit,
            facts: [
                EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts)),
            ])
        guard accepts else { return .refused("\(type) does not take \(request.line)") }
        let canonical = run.program.fault == .skipsCanonicalForm ? request : canonicalForm(of: request)
        let number = number
        let client = ProtocolClientRecorder(recorder: run.recorder, object: number, task: run.task) { [run] call in
            let isCancelled = run.isCancelled(at: call.name.rawValue, of: number)
            if case .cancelChallenge(let challenge) = call { run.withdraw(challenge) }
            let handed = Handover(value: call)
            run.client.post { $0.hear(handed.value, from: number, isCancelled: isCancelled) }
        }
        let event = run.record(.proto, .pInit, object: number, facts: [EventFact(.request, .text(canonical.line))])
        let object = run.maker.make(canonical, run.cachedResponse.value, client)
        run.recorder.recordReturn(of: event)
        return .made(Handover(value: object))
    }

    /// As the object gets it.
    private func canonicalForm(of request: URLRequest) -> URLRequest {
        let canonical = canonicalForm(of: request, expecting: nil)
        _ = canonicalForm(of: request, expecting: canonical)
        _ = canonicalForm(of: canonical, expecting: canonical)
        return canonical
    }

    /// `expected` is what a pure and idempotent function gives.
    ///
    /// Where only something else than method and URL differs, that stands behind them, so that the trace shows it.
    private func canonicalForm(of request: URLRequest, expecting expected: URLRequest?) -> URLRequest {
        let form = run.maker.protocolClass.canonicalRequest(for: request)
        let difference = expected.flatMap { form.line == $0.line ? form.difference(from: $0) : nil }
        run.record(
            .proto, .pCanonical,
            facts: [
                EventFact(.request, .text(request.line)),
                EventFact(.proposed, .text(form.line + (difference.map { ", \($0)" } ?? ""))),
            ])
        return form
    }
}
