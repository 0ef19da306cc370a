public import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads a request with a URLProtocol as a loading system does, without any, and writes down both sides.
///
/// Asks the class, makes the object, starts and stops it on one thread whose run loop runs, answers its questions,
/// follows its redirects with further objects. Class calls and `init` come from another thread, as they may (R48).
///
/// The object is told nothing that a loading system of Apple's would not tell it; what it does wrong shows in the trace
/// and is nobody's crash. Lanes: `proto`, `protocolClient`, `harness`; objects count from 0.
public struct ProtocolDriver: Sendable {
    /// The class under test.
    public let protocolClass: URLProtocol.Type
    let maker: ProtocolMaker

    /// Nothing is registered anywhere: the class need not be known to Foundation.
    public init(_ protocolClass: URLProtocol.Type) {
        self.init(protocolClass) { protocolClass.init(request: $0, cachedResponse: $1, client: $2) }
    }

    /// With objects that the caller makes, of the class or of one below it; on any thread.
    public init(
        _ protocolClass: URLProtocol.Type,
        making make:
            @escaping @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
    ) {
        self.protocolClass = protocolClass
        maker = ProtocolMaker(protocolClass: protocolClass, make: make)
    }

    /// The trace of one load, which ends in a `result`; comes at the deadline at the latest, whatever the protocol does.
    ///
    /// At the deadline, or when the task is cancelled, the trace ends without a terminal event and without `p.stop`: the
    /// object is stopped behind its end. A thread that the protocol blocks for ever is left behind.
    public func run(
        _ request: URLRequest, program: ProtocolProgram = ProtocolProgram(),
        cachedResponse: CachedURLResponse? = nil, deadline: Duration = .seconds(5)
    ) async -> [TraceEvent] {
        await run(
            request, program: program, cachedResponse: cachedResponse, deadline: deadline, in: TracePlace())
    }

    /// The same as a part of a longer trace; returns the events of its task alone.
    package func run(
        _ request: URLRequest, program: ProtocolProgram, cachedResponse: CachedURLResponse? = nil,
        deadline: Duration, in place: TracePlace
    ) async -> [TraceEvent] {
        let run = ProtocolRun(
            maker, program: program, cachedResponse: cachedResponse, deadline: deadline, place: place)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { run.start(request, for: $0) }
        } onCancel: {
            run.giveUp("the test was cancelled")
        }
    }
}

/// The class that is asked, and how its objects come to be.
struct ProtocolMaker: Sendable {
    let protocolClass: URLProtocol.Type
    let make: @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
}
