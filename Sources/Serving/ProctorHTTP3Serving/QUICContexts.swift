internal import ProctorBase
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorServing
internal import ProctorTLS
internal import ProctorTLSWire

/// The certificates of one port of QUIC, chosen by the ClientHello as at a port of TLS; safe from any thread.
final class QUICContexts: Sendable {
    private let security: ListenerSecurity
    /// The contexts that were used last, the newest last.
    private let made = Locked<[(source: TLSServerContext, context: QUICServerContext)]>([])

    /// So many are kept.
    private static let limit = 8

    init(_ security: ListenerSecurity) { self.security = security }

    struct Chosen: Sendable {
        let profile: String
        let context: QUICServerContext
    }

    /// Calls `done` once on the loop: now, or when the certificate is made.
    func find(
        for hello: ClientHello, at local: SocketAddress, on loop: EventLoop,
        _ done: @escaping @Sendable (Result<Chosen, SecurityRefusal>) -> Void
    ) {
        let slot: TLSContexts.Slot
        do throws(SecurityRefusal) {
            slot = try find(hello, at: local)
        } catch {
            return done(.failure(error))
        }
        switch slot {
        case .ready(let context): done(chosen(context))
        case .making(let minting):
            minting.whenFinished { outcome in
                loop.submit { done(outcome.flatMap { self.chosen($0) }) }
            }
        }
    }

    private func find(_ hello: ClientHello, at local: SocketAddress) throws(SecurityRefusal) -> TLSContexts.Slot {
        let key: TLSContexts.Key
        do throws(LabelRefusal) {
            key = try security.key(for: hello, at: local)
        } catch {
            throw SecurityRefusal(.unknownName, error.description)
        }
        return try security.contexts.find(key)
    }

    private func chosen(_ source: TLSServerContext) -> Result<Chosen, SecurityRefusal> {
        let profile = source.identity.profile
        if let known = made.withLock({ $0.first { $0.source === source } }) {
            return .success(Chosen(profile: profile, context: known.context))
        }
        do throws(TLSSetupError) {
            let context = try QUICServerContext(
                identity: source.identity, protocols: ["h3"], keyLog: security.contexts.opened?.keyLog)
            made.withLock { made in
                if made.count >= Self.limit { made.removeFirst() }
                made.append((source, context))
            }
            return .success(Chosen(profile: profile, context: context))
        } catch {
            return .failure(SecurityRefusal(error))
        }
    }
}
