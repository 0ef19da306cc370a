internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop

/// What the server sends.
extension HTTP2Connection {
    func send(_ frame: Frame) {
        connection.journals.note(.frame(FrameNote(sent: frame, at: output.byteCount)))
        state.willSend(frame)
        output.append(frame)
    }

    /// Sends a field section, in as many frames as its block needs.
    func send(_ section: StreamSection, on stream: HTTP2Stream) throws(ConnectionEnd) {
        var block: [UInt8] = []
        guard encoder.encode(section.fields, to: &block) else {
            throw .unanswerable("there is no memory for its fields")
        }
        let most = Int(state.peers.maxFrameSize)
        var rest = block[...]
        let first = rest.prefix(most)
        rest = rest.dropFirst(most)
        send(.headers(first, on: stream.number, endsStream: section.endsStream, endsHeaders: rest.isEmpty))
        while !rest.isEmpty {
            let next = rest.prefix(most)
            rest = rest.dropFirst(most)
            send(.continuation(next, on: stream.number, endsHeaders: rest.isEmpty))
        }
    }

    /// How many bytes of content may go out on the stream now.
    func room(on stream: HTTP2Stream) -> Int {
        guard let window = state.sendWindow(of: stream.number) else { return 0 }
        return max(0, min(window.size, state.sendWindow.size, output.room))
    }

    /// Whether so much content can go out at once, after a field section.
    func canSend(_ byteCount: Int, on stream: HTTP2Stream) -> Bool {
        byteCount == 0 ? output.room > 0 : byteCount <= room(on: stream)
    }

    /// Sends content that the windows have room for, in frames as long as the client takes.
    func sendContent(_ content: ArraySlice<UInt8>, endsStream: Bool, on stream: HTTP2Stream) {
        let most = Int(state.peers.maxFrameSize)
        var rest = content
        repeat {
            let part = rest.prefix(most)
            rest = rest.dropFirst(most)
            let ends = endsStream && rest.isEmpty
            if stream.isNoted(dataEndingStream: ends) {
                connection.journals.note(
                    .frame(
                        FrameNote(
                            by: .server, type: "DATA", flags: ends ? ["END_STREAM"] : [], stream: stream.number,
                            byteCount: part.count, offset: output.byteCount)))
            }
            state.willSendData(ofByteCount: part.count, on: stream.number, endsStream: ends)
            output.appendData(part, on: stream.number, endsStream: ends)
        } while !rest.isEmpty
    }

    // MARK: Windows

    /// Lets the client send as many bytes more on the connection.
    func credit(_ byteCount: Int) {
        owed += byteCount
        guard owed >= Self.leastCredit else { return }
        send(.windowUpdate(UInt32(owed)))
        owed = 0
    }

    /// Lets the client send as many bytes more on the stream, unless it has ended its half.
    func credit(_ byteCount: Int, on stream: HTTP2Stream) {
        guard let count = stream.credit(byteCount, atLeast: Self.leastCredit) else { return }
        send(.windowUpdate(count, on: stream.number))
    }

    /// Smaller credits wait for others: a quarter of the window that holds unless SETTINGS say otherwise.
    private static let leastCredit = Int(FlowWindow.usual / 4)
}
