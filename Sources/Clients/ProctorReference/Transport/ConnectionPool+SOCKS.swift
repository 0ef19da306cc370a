internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorSOCKS

extension ConnectionPool {
    /// Asks a proxy of SOCKS for a tunnel to the origin; the next byte is the origin's.
    func ask(
        _ socks: SOCKSRoute, on socket: Socket, for request: PoolRequest,
        within limit: @escaping @Sendable () -> UInt64
    ) async throws(LoadError) {
        let fault: SOCKSFault? = if case .socks(let fault)? = request.fault { fault } else { nil }
        let conversation: SOCKSConversation
        do throws(SOCKSConversation.Refusal) {
            conversation = try socks.conversation(about: request.origin.undottedHost, port: request.origin.port, fault)
        } catch {
            throw LoadError(error.isOfHost ? .cannotFindHost : .cannotConnect, error.sentence)
        }
        let failure = await request.secure(orCancel: { socket.cancel() }) { () -> LoadError? in
            await self.converse(conversation, on: socket, within: limit)
        }
        if let failure { throw failure }
    }

    private func converse(
        _ conversation: SOCKSConversation, on socket: Socket, within limit: @escaping @Sendable () -> UInt64
    ) async -> LoadError? {
        var conversation = conversation
        let wait = Wait(within: limit)
        do {
            try await socket.write(conversation.firstMessage(), within: wait.timeLeft(in: self) ?? 0)
            while true {
                // One byte at a time, so that none of the origin's is read.
                let byte = try await socket.read(within: wait.timeLeft(in: self) ?? 0, upTo: 1) { $0[0] }
                guard let byte else {
                    throw SOCKSConversation.Refusal(sentence: "it ends the connection within the conversation")
                }
                switch try conversation.read(byte) {
                case .wait: continue
                case .send(let bytes): try await socket.write(bytes, within: wait.timeLeft(in: self) ?? 0)
                case .done: return nil
                }
            }
        } catch let refusal as SOCKSConversation.Refusal {
            return LoadError(.cannotConnect, "the proxy of SOCKS makes no tunnel: \(refusal.sentence)")
        } catch SocketError.timedOut {
            return LoadError(.timedOut, "the proxy of SOCKS did not reply for \(Self.seconds(wait.lastLimit))")
        } catch SocketError.cancelled {
            return LoadError(.cancelled, "cancelled while a proxy of SOCKS was asked")
        } catch {
            return LoadError(.connectionLost, "the proxy of SOCKS ended the connection: \(error)")
        }
    }
}
