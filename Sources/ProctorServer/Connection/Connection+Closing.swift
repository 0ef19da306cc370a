internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

extension Connection {
    /// Behind ``Socket/halfClose()``: reads on for a bounded while, so that the peer gets our last bytes, and notes what
    /// came behind the last request.
    func linger() async {
        await socket.linger(
            draining: bounds.progress, within: bounds.linger, inAll: bounds.wholeLinger, upTo: bounds.lingerByteCount
        ) { takeLate($0) }
        noteSurplus()
        noteUnreadBytes()
    }

    /// After a half-close: reads on until the peer leaves too, then closes.
    func awaitPeer() async throws(ConnectionEnd) {
        takePending()
        do throws(SocketError) {
            while try await socket.read(within: bounds.stall, { takeLate($0) }) != nil {}
        } catch {
            if error == .cancelled { throw ConnectionEnd(error) }
        }
        noteSurplus()
        noteUnreadBytes()
        await socket.drainLayer(within: bounds.progress)
        socket.close()
    }

    /// What was read already stands behind the last request.
    func takePending() {
        let bytes = pending
        let start = pendingStart
        (pending, pendingStart) = ([], 0)
        takeLate(bytes.span.extracting(start..<bytes.count))
        // A whole request needs no more bytes to be told of, and so stands before the end.
        if surplus?.isDecided == true { noteSurplus() }
    }

    /// Takes bytes of a connection on which nothing is answered any more: first what is left of the request.
    private func takeLate(_ bytes: Span<UInt8>) {
        guard let head = request.head, !leavesHTTP, head.form != .authority, request.refusal == nil else {
            return lateBytes.take(bytes)
        }
        var offset = 0
        if !isBehindWithheldContent(bytes, head) {
            while request.hasUnreadContent, let event = reader.next(bytes, at: &offset) {
                request.take(event, bytes, keeping: 0)
            }
            if offset > 0 { lateContent.take(bytes.extracting(0..<offset)) }
            requestByteCount += offset
            guard request.isComplete else { return }
        }
        guard offset < bytes.count else { return }
        lateBytes.take(bytes.extracting(offset..<bytes.count))
        if surplus == nil { surplus = Surplus(behind: head, byteCount: requestByteCount) }
        surplus?.take(bytes.extracting(offset..<bytes.count))
    }

    /// Whether these bytes are no content, which the client has kept back, but another request.
    private func isBehindWithheldContent(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        guard request.isWithheld, !request.isComplete, !bytes.isEmpty else { return false }
        if surplus != nil { return true }
        guard lateContent.isEmpty else { return false }
        if case .other = RequestStart.finding(bytes.array[...], after: head.methodBytes) { return false }
        return true
    }

    /// What was read already and is not read as a request stands behind what was refused.
    func takeRest() {
        let bytes = pending
        if pendingStart < bytes.count { unfinished.take(bytes.span.extracting(pendingStart..<bytes.count)) }
        (pending, pendingStart) = ([], 0)
    }

    /// Whether the origin of this connection answers whatever can be answered.
    var acceptsAnything: Bool {
        guard case .origin(let stage, let origin) = endpoint else { return false }
        return stage.scenario.origins[origin].acceptance == .anything
    }

    /// Notes what came and stands in no other entry, as far as the connection has come.
    func noteUnreadBytes() {
        if let event = unfinished.event(.unfinished) { note(event) }
        if ignoresLateBytes { return }
        if pendingStart < pending.count {
            let bytes = pending
            lateBytes.take(bytes.span.extracting(pendingStart..<bytes.count))
            (pending, pendingStart) = ([], 0)
        }
        if let event = lateContent.event(.late) { note(event) }
        guard let event = lateBytes.event(opaqueLog == nil ? .behind : .opaque) else { return }
        if let opaqueLog { opaqueLog.append(event) } else { note(event) }
    }

    private func noteSurplus() {
        guard let found = surplus, !found.isNoted else { return }
        surplus?.isNoted = true
        for violation in found.violations { note(.violation(violation)) }
    }

    /// The peer has left, or is not waited for any longer: what it began behind an answered request is noted.
    ///
    /// `hasLeft` says that the peer has ended the connection, by FIN or RST, so that a head that began will not be whole.
    func noteUnfinishedHead(hasLeft: Bool) {
        guard request.head == nil else { return }
        let begun = reader.partialHead
        if let last = lastRequestByteCount, !begun.isEmpty, !RequestStart.isPlausible(begun[...]) {
            let offset = requestByteCount - begun.count
            note(.violation(.surplus(begun[...], at: last + offset, byteCount: begun.count)))
            if let event = unfinished.event(.behind) { note(event) }
            return
        }
        guard hasLeft else { return }
        while let event = reader.end() {
            switch event {
            case .violation(let violation), .refused(let violation): note(.violation(violation))
            case .head, .content, .chunk, .trailers, .end: break
            }
        }
    }
}
