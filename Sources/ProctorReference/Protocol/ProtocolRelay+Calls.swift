internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// How calls get to the client: in a line, one after the other.
extension ProtocolRelay {
    func enqueue(_ calls: [PlacedCall<ProtocolCall>]) {
        let first = state.withLock { state -> PlacedCall<ProtocolCall>? in
            guard !state.isSilent else { return nil }
            state.calls += calls
            guard !state.isCalling, let first = state.calls.first else { return nil }
            state.isCalling = true
            return first
        }
        if let first { schedule(first) }
    }

    private func schedule(_ next: PlacedCall<ProtocolCall>) {
        (next.isElsewhere ? ClientPlace.elsewhere : place).submit { self.makeCall() }
    }

    private func makeCall() {
        // As long as a call is under way the object is there: its deinit would have to wait for the call.
        let object = object
        let call = state.withLock { state -> ProtocolCall? in
            guard !state.isSilent, object != nil, !state.calls.isEmpty else {
                state.calls = []
                state.isCalling = false
                return nil
            }
            state.caller = ObjectIdentifier(Thread.current)
            return state.calls.removeFirst().call
        }
        guard let call, let object else { return }
        make(call, for: object)
        let (next, load, waiter) = state.withLock { state in
            state.caller = nil
            if state.calls.isEmpty { state.isCalling = false }
            defer { state.waiter = nil }
            return (state.calls.first, state.load, state.waiter)
        }
        waiter?.signal()
        if case .data(let bytes) = call { load?.didConsume(bytes.count) }
        if let next { schedule(next) }
    }

    private func make(_ call: ProtocolCall, for object: ReferenceProtocol) {
        guard let client = object.client else { return }
        switch call {
        case .redirect(let next, let response):
            client.urlProtocol(
                object, wasRedirectedTo: object.request.redirected(to: next), redirectResponse: response.urlResponse)
        case .cacheValidated:
            // Without one, this is a protocol that is broken on purpose.
            client.urlProtocol(object, cachedResponseIsValid: object.cachedResponse ?? .nothing)
        case .response(let response):
            let scheme = response.url.origin.scheme
            let response = response.urlResponse
            client.urlProtocol(
                object, didReceive: response,
                cacheStoragePolicy: ReferenceProtocol.storagePolicy(of: response, to: object.request, by: scheme))
        case .data(let bytes): client.urlProtocol(object, didLoad: Data(bytes))
        case .finish:
            end()
            client.urlProtocolDidFinishLoading(object)
        case .fail(let error):
            end()
            client.urlProtocol(object, didFailWithError: error.foundationError(of: object.request.url))
        case .failCancelled:
            end()
            client.urlProtocol(object, didFailWithError: CocoaError(.userCancelled))
        case .challenge(let challenge): client.urlProtocol(object, didReceive: open(challenge))
        case .challengeCancelled(let challenge):
            client.urlProtocol(object, didCancel: close(challenge))
        }
    }

    /// Calls may still be in line behind the end, of a protocol that is broken on purpose.
    private func end() {
        state.withLock { state in
            state.isAtWork = false
            state.kept = nil
        }
    }

    private func open(_ challenge: LoadChallenge) -> URLAuthenticationChallenge {
        let number = state.withLock { state in
            state.challengeNumber += 1
            return state.challengeNumber
        }
        let opened = challenge.urlChallenge { [weak self] answer in self?.answer(answer, toChallenge: number) }
        state.withLock { state in
            state.challenge = opened
            state.isChallengeOpen = true
        }
        return opened
    }

    /// The same object that was told, if there is one.
    private func close(_ challenge: LoadChallenge) -> URLAuthenticationChallenge {
        let opened = state.withLock { state in
            state.isChallengeOpen = false
            return state.challenge
        }
        return opened ?? challenge.urlChallenge { _ in }
    }
}

extension CachedURLResponse {
    /// An empty one.
    fileprivate static var nothing: CachedURLResponse {
        let response = URLResponse(
            url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return CachedURLResponse(response: response, data: Data())
    }
}
