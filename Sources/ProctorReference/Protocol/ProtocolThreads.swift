internal import CoreFoundation
internal import Foundation
internal import ProctorBase

/// Where the client of a URLProtocol object is called.
enum ClientThread: Sendable {
    /// The run loop that ran when the object was started (R48).
    case runLoop(ClientRunLoop)
    /// There was none; nil when not even a thread could be made.
    case queue(CallbackQueue?)

    /// Of the calling thread.
    ///
    /// A thread that runs no run loop now is taken for one that never does, as the threads of Dispatch are, on which
    /// Foundation on Linux starts its protocols. A call can't be brought back to those, so another thread makes it.
    static var current: ClientThread {
        guard let mode = RunLoop.current.currentMode else { return .queue(spare) }
        return .runLoop(ClientRunLoop(mode: mode))
    }

    /// Calls that are made in the wrong place on purpose come from here.
    static var elsewhere: ClientThread { .queue(elsewhereQueue) }

    /// Made when they are first needed, and never ended: a protocol's client may be called at any time.
    private static let spare = try? CallbackQueue(label: "url-protocol")
    private static let elsewhereQueue = try? CallbackQueue(label: "url-protocol-elsewhere")

    /// From any thread; in order, and never from within.
    func submit(_ call: @escaping @Sendable () -> Void) {
        switch self {
        case .runLoop(let runLoop): runLoop.submit(call)
        case .queue(let queue): queue?.submit(call)
        }
    }
}

/// The run loop of a thread, and the modes in which calls are made.
final class ClientRunLoop: @unchecked Sendable {
    // Foundation marks neither as safe to share; both functions used below are (CFRunLoop.h).
    private let runLoop: RunLoop
    private let reference: CFRunLoop?
    private let modes: [RunLoop.Mode]

    /// Of the calling thread, which runs in `mode`.
    init(mode: RunLoop.Mode) {
        runLoop = .current
        reference = CFRunLoopGetCurrent()
        modes = mode == .default ? [mode] : [.default, mode]
    }

    func submit(_ call: @escaping @Sendable () -> Void) {
        runLoop.perform(inModes: modes, block: call)
        // Or it would notice when something else wakes it.
        if let reference { CFRunLoopWakeUp(reference) }
    }
}

/// Where all protocol objects of the process load.
enum ReferenceEngine {
    /// Made with the first load, and never ended; a failure is one of the system to make a thread.
    static let shared = Result<LoadingThread, CallFailure> { () throws(CallFailure) in
        try LoadingThread(name: "proctor-protocol")
    }

    private static let securities = Locked<[ReferenceSecurity: ConnectionSecurity]>([:])
    /// Different ones, which classes have and not objects.
    private static let bound = 64

    /// Equal settings give the same object, so that protocol objects share connections; from any thread.
    static func security(_ settings: ReferenceSecurity) -> ConnectionSecurity {
        securities.withLock { securities in
            if let security = securities[settings] { return security }
            if securities.count >= bound { securities = [:] }
            let security = ConnectionSecurity(settings)
            securities[settings] = security
            return security
        }
    }
}
