package import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A bound UDP socket of one loop, of which one task at a time receives; loop thread only, except ``cancel()``.
@safe package final class DatagramPort: Sendable {
    package let loop: EventLoop
    /// The bound address, with the port that the system chose for port 0.
    package let address: SocketAddress
    private let queue: LoopBound<DatagramQueue>

    package struct Datagram: Sendable {
        package let bytes: [UInt8]
        package let sender: SocketAddress
    }

    /// The most bytes of a datagram that are received; the rest of a longer one is lost.
    package static let mostBytes = 4_096

    /// Binds at once.
    package init(on loop: EventLoop, address: SocketAddress) throws(CallFailure) {
        loop.preconditionOnLoop()
        let descriptor = try Bind.socket(at: address, for: .datagrams)
        self.loop = loop
        self.address = SocketAddress.ofSocket(descriptor, peer: false)
        queue = LoopBound(try DatagramQueue(descriptor, on: loop), on: loop)
    }

    /// Waits for the next datagram; nil once the port is cancelled or closed, or the task is cancelled.
    package func receive() async -> Datagram? { await receive(until: .max) }

    /// Like ``receive()``; nil also from a moment of MonotonicClock on, in nanoseconds, and after ``wake()``.
    package func receive(until deadline: UInt64) async -> Datagram? {
        loop.preconditionOnLoop()
        return await withTaskCancellationHandler {
            await queue.value.receive(until: deadline)
        } onCancel: {
            loop.submit { self.queue.value.endWait() }
        }
    }

    /// A datagram that has come; nil if none waits.
    package func receiveAtOnce() -> Datagram? {
        loop.preconditionOnLoop()
        return queue.value.receiveAtOnce()
    }

    /// Makes the present or the next wait of ``receive(until:)`` return nil.
    package func wake() {
        loop.preconditionOnLoop()
        queue.value.wake()
    }

    /// Whether ``cancel()`` or ``close()`` was called.
    package var isCancelled: Bool { queue.value.isOver }

    /// Sends at once; a datagram for which the system has no room is lost, as UDP permits.
    package func send(_ bytes: [UInt8], to receiver: SocketAddress) {
        loop.preconditionOnLoop()
        queue.value.send(bytes, to: receiver)
    }

    /// Sends the bytes at once as datagrams of `segmentByteCount` bytes, the last of which may be shorter, to a `sockaddr` of
    /// `length` bytes.
    ///
    /// At most 64 datagrams with 65,000 bytes; those for which the system has no room are lost, as UDP permits.
    package func send(
        _ bytes: UnsafeRawBufferPointer, each segmentByteCount: Int, to receiver: UnsafeRawPointer, _ length: Int
    ) {
        loop.preconditionOnLoop()
        unsafe queue.value.send(bytes, each: segmentByteCount, to: receiver, socklen_t(length))
    }

    /// Makes ``receive()`` return nil from now on; any thread may call it.
    package func cancel() {
        loop.submit { self.queue.value.cancel() }
    }

    package func close() {
        loop.preconditionOnLoop()
        queue.value.close()
    }
}

/// The part of a ``DatagramPort`` that the loop owns; loop thread only.
@safe private final class DatagramQueue: PollOwner {
    private let descriptor: Int32
    private var poll: PollHandle?
    private var isCancelled = false
    /// Ends the wait of the task that receives.
    private var sleeper: Sleeper?
    private var isWoken = false
    private let loop: EventLoop
    private var buffer = [UInt8](repeating: 0, count: DatagramPort.mostBytes)
    private var lastSender = ReceivedAddress()
    private var segments = SegmentedSending()

    /// Owns the descriptor; closes it after a failure.
    init(_ descriptor: Int32, on loop: EventLoop) throws(CallFailure) {
        (self.descriptor, self.loop) = (descriptor, loop)
        super.init()
        poll = try PollHandle(owning: descriptor, on: loop, owner: self)
    }

    var isOver: Bool { isCancelled || poll == nil }

    func receive(until deadline: UInt64) async -> DatagramPort.Datagram? {
        while !isOver, !Task.isCancelled {
            if let datagram = receiveAtOnce() { return datagram }
            guard MonotonicClock.nanoseconds < deadline, !isWoken else {
                isWoken = false
                return nil
            }
            precondition(sleeper == nil, "two tasks receive datagrams of one port")
            let sleeper = Sleeper()
            self.sleeper = sleeper
            poll?.want(PollHandle.readable)
            unsafe _ = await withUnsafeContinuation { continuation in
                unsafe loop.sleeps.startSleep(sleeper, until: deadline, continuation)
            }
            self.sleeper = nil
        }
        return nil
    }

    /// nil if no datagram has come.
    func receiveAtOnce() -> DatagramPort.Datagram? {
        guard !isOver else { return nil }
        while true {
            let descriptor = descriptor
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe lastSender.receive { address, length in
                    unsafe orErrno(recvfrom(descriptor, bytes.baseAddress, bytes.count, 0, address, length))
                }
            }
            if count >= 0 { return DatagramPort.Datagram(bytes: Array(buffer[..<count]), sender: lastSender.address) }
            // An earlier datagram reached no port, as ICMP told; the next one may.
            guard count == -Int(ECONNREFUSED) || count == -Int(EINTR) else { return nil }
        }
    }

    func send(_ bytes: [UInt8], to receiver: SocketAddress) {
        guard poll != nil else { return }
        _ = unsafe try? receiver.withSystemAddress { address, length in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe sendto(descriptor, bytes.baseAddress, bytes.count, noSignalFlag, address, length)
            }
        }
    }

    func send(
        _ bytes: UnsafeRawBufferPointer, each segmentByteCount: Int, to receiver: UnsafeRawPointer, _ length: socklen_t
    ) {
        guard poll != nil else { return }
        unsafe segments.send(bytes, each: segmentByteCount, to: receiver, length, descriptor)
    }

    func cancel() {
        isCancelled = true
        endWait()
    }

    func close() {
        guard let poll = poll.take() else { return }
        poll.close()
        closeDescriptor(descriptor)
        endWait()
    }

    override func becameReady(_ events: Int32, afterError: Bool) {
        if afterError { poll?.wasStopped() }
        if sleeper == nil { poll?.dropInterest(in: PollHandle.readable) } else { endWait() }
    }

    func wake() {
        isWoken = true
        endWait()
    }

    func endWait() {
        if let sleeper { loop.sleeps.cancel(sleeper) }
    }
}
