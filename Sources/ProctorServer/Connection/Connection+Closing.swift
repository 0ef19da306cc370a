internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTrace

extension Connection {
    /// Behind ``Socket/halfClose()``: reads on for a bounded while, so that the peer gets our last bytes, and notes what
    /// came behind the last request.
    func linger() async {
        await socket.linger(
            draining: bounds.progress, within: bounds.linger, inAll: bounds.wholeLinger, upTo: bounds.lingerByteCount
        ) { takeLate($0) }
        noteSurplus()
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
        guard let head = request.head, !leavesHTTP, head.form != .authority else { return }
        var offset = 0
        while request.hasUnreadContent, let event = reader.next(bytes, at: &offset) {
            request.take(event, bytes, keeping: 0)
        }
        requestByteCount += offset
        guard request.isComplete, offset < bytes.count else { return }
        if surplus == nil { surplus = Surplus(behind: head, byteCount: requestByteCount) }
        surplus?.take(bytes.extracting(offset..<bytes.count))
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
