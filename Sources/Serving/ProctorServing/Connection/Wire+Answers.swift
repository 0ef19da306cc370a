internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// Who answers a request, and what refuses it before an exchange is chosen.
extension Wire {
    /// Answers a request as far as no step waits.
    func reply(to head: RequestHead, by route: Route) throws(ConnectionEnd) -> WaitingAnswer<Self>? {
        if case .later(let find) = route { return .routing(self, head, find) }
        if !head.isMultiplexed, let violation = endpoint.objection(to: head, route) {
            input.unfinished.append(head.bytes.span)
            return .dialogue { () async throws(ConnectionEnd) in try await self.refuse(violation) }
        }
        switch route {
        case .stage(let stage, let origin, let target):
            if head.isMultiplexed, let refusal = streamRefusal(of: head, target, of: stage, origin: origin) {
                logRefusal(refusal, of: head, stage, origin: origin)
                try endRequest(.version)
                return nil
            }
            let request = OriginRequest(head: head, target: target, origin: origin)
            return try StageRequest.handle(request, of: stage, on: self)
        case .named(let route): return try HostAnswer(wire: self, head: head).reply(by: route)
        case .control:
            let place = connection.local
            return .dialogue { () async throws(ConnectionEnd) in
                try await PageAnswer(wire: self, head: head).callControl(at: place)
            }
        case .page(let page):
            return .dialogue { () async throws(ConnectionEnd) in
                let reply = await page()
                try await PageAnswer(wire: self, head: head).sendPage(with: reply)
            }
        case .later: preconditionFailure("a route that is to be found was found above")
        }
    }

    /// Why a scenario of the shared port has no answer on a stream; runs have looked for that before.
    private func streamRefusal(
        of head: RequestHead, _ target: [UInt8], of stage: Stage, origin: Int
    ) -> ProtocolRefusal? {
        guard case .shared = endpoint else { return nil }
        let view = RequestView(
            head: head, target: target, body: nil, comparison: stage.compiled.comparison(for: head))
        return stage.compiled.http2Refusal(of: view, origin: origin)
    }

    /// Notes that the client is told to ask over HTTP/1.1 for a scenario that has its bytes (RFC 9113 §7,
    /// HTTP_1_1_REQUIRED; RFC 9114 §8.1, H3_VERSION_FALLBACK).
    private func logRefusal(_ refusal: ProtocolRefusal, of head: RequestHead, _ stage: Stage, origin: Int) {
        let log = RequestLog(stage, attach(to: stage, origin: origin), noting: head)
        let why = "over \(head.version.text) the exchange is refused, and the client told to use HTTP/1.1: \(refusal)"
        log.append(.missed(Miss(nearestExchange: nil, differences: [why])))
    }
}
