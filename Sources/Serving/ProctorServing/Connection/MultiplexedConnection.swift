package import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// A connection that carries requests on streams, in the frames of its protocol: HTTP/2 or HTTP/3; on the loop's thread only.
///
/// It does for a ``MultiplexedStream`` what the two protocols do differently.
package protocol MultiplexedConnection: AnyObject {
    var bounds: ConnectionBounds { get }
    /// Whether nothing more comes of the client, so that no window grows any more.
    var hasInputEnded: Bool { get }

    // MARK: Sending

    /// Bytes of content that the stream may send in one call, without padding; its share does not count here.
    func room(for part: ContentPart, on stream: MultiplexedStream) -> Int
    /// Sends a field section as ``Wire/send(_:frame:)`` does.
    func sendSection(
        _ section: StreamSection, frame: Int?, on stream: MultiplexedStream
    ) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool)
    /// Sends content for which there is room; returns the bytes on the wire.
    func sendContent(_ content: ArraySlice<UInt8>, _ part: ContentPart, ends: Bool, on stream: MultiplexedStream) -> Int
    /// Sends both as content behind a reply; false where there is no room for all of it.
    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8], on stream: MultiplexedStream) -> Bool
    /// Sends bytes of an effect between frames; false where there is no room.
    func sendRaw(_ bytes: [UInt8], on stream: MultiplexedStream) -> Bool
    /// Sends what goes out at once, and returns when there may be room.
    func awaitRoom(on stream: MultiplexedStream) async throws(ConnectionEnd)
    /// As ``Wire/flush(_:)``.
    func flush(_ note: (() -> Void)?)
    /// Keeps the end of a reply for the journal until all of the stream is sent; false where it is to be noted now.
    func keepEnd(_ end: JournalEvent, of stream: MultiplexedStream, _ log: RequestLog) -> Bool
    /// Lets the client send as many bytes more on the stream.
    func credit(_ byteCount: Int, on stream: MultiplexedStream)

    // MARK: Effects

    /// Plays an effect that does not end a conversation and is no stall; returns the bytes that it sent.
    func perform(_ action: Effect.Action, on stream: MultiplexedStream) async throws(ConnectionEnd) -> Int
    /// Promises a request beside the reply to another, and lets a task answer it; returns the bytes of the promise, nil where the
    /// client permits no push, or the protocol has none.
    ///
    /// Throws where nothing answers it.
    func push(
        _ pushed: PushedRequest, beside request: StageRequest<MultiplexedStream>, _ head: RequestHead, origin: Int
    ) throws(ConnectionEnd) -> Int?

    // MARK: Ends

    /// Ends our half with the content so far, unless it has ended.
    func endSending(on stream: MultiplexedStream)
    /// Ends the stream by the code of the protocol for this.
    func endStream(_ stream: MultiplexedStream, by refusal: StreamRefusal)
    /// The rest of the request is not wanted.
    func stopReading(_ stream: MultiplexedStream)
    /// No request behind that of the stream is answered.
    func stopAccepting(behind stream: MultiplexedStream)

    // MARK: What is no longer HTTP

    /// A 2xx reply to CONNECT goes out, behind which content is of another protocol.
    func acceptTunnel(on stream: MultiplexedStream)
    /// Carries the connection that `make` makes of a socket in the content of the stream, to its end.
    func carry(
        on stream: MultiplexedStream, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd)

    // MARK: Replies that wait

    var waitingReplies: WaitingReplies { get set }
    /// Bytes that were queued so far on all streams.
    var queuedByteCount: Int { get }
    /// Whether the connection has room for the next reply that waits.
    var hasRoomForWaiting: Bool { get }
    /// Whether replies that wait are tried now.
    var canContinue: Bool { get }

    func lack(of stream: MultiplexedStream) -> RoomLack
    /// Throws where what the reply waits for can't come any more.
    func requireHope(for lack: RoomLack, on stream: MultiplexedStream) throws(ConnectionEnd)
    /// A deadline of a reply that waits may be earlier now.
    func didExpectProgress()
    /// A task does the rest.
    func start(_ stream: MultiplexedStream, _ rest: WaitingAnswer<MultiplexedStream>)
    /// A reply that has waited goes on in a task.
    func didStartBehindWait()
    /// The answer of a stream is over.
    func closeIfDone(_ stream: MultiplexedStream)
    /// The answer of a stream has ended with an error.
    func endStream(_ stream: MultiplexedStream, _ error: ConnectionEnd)
}
