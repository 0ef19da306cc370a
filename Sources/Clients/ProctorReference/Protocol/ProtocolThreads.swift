internal import CoreFoundation
internal import Foundation
internal import ProctorBase

enum CallbackThread: Sendable {
    /// The run loop that ran when the object was started (R48).
    case runLoop(ClientRunLoop)
    /// No run loop ran; nil when the system gave no thread.
    case queue(CallbackQueue?)

    /// The calling thread; one whose run loop does not run, such as a thread of Dispatch, counts as one without.
    static var current: CallbackThread {
        guard let mode = RunLoop.current.currentMode else { return .queue(spare) }
        return .runLoop(ClientRunLoop(mode: mode))
    }

    /// A queue for a deliberate fault that makes calls on a wrong thread.
    static var elsewhere: CallbackThread { .queue(elsewhereQueue) }

    /// Made on first use and never ended, since a protocol's client may be called at any time.
    private static let spare = try? CallbackQueue(label: "url-protocol")
    private static let elsewhereQueue = try? CallbackQueue(label: "url-protocol-elsewhere")

    /// Submits a call; any thread may do so.
    ///
    /// Calls run in order, never inside `submit`.
    func submit(_ call: @escaping @Sendable () -> Void) {
        switch self {
        case .runLoop(let runLoop): runLoop.submit(call)
        case .queue(let queue): queue?.submit(call)
        }
    }
}

/// The run loop of a thread, and the modes in which calls are made.
final class ClientRunLoop: @unchecked Sendable {
    // Foundation marks neither type as thread-safe; both functions used below are (CFRunLoop.h).
    private let runLoop: RunLoop
    private let reference: CFRunLoop?
    private let modes: [RunLoop.Mode]

    /// The run loop of the calling thread, which runs in `mode`.
    init(mode: RunLoop.Mode) {
        runLoop = .current
        reference = CFRunLoopGetCurrent()
        modes = mode == .default ? [mode] : [.default, mode]
    }

    func submit(_ call: @escaping @Sendable () -> Void) {
        runLoop.perform(inModes: modes, block: call)
        // Without it, the run loop would run the job only after its next event.
        if let reference { CFRunLoopWakeUp(reference) }
    }
}

enum ReferenceEngine {
    /// Made with the first load and never ended; a failure means that the system gave no thread.
    static let shared = Result<LoadingThread, CallFailure> { () throws(CallFailure) in
        try LoadingThread(name: "proctor-protocol")
    }

    private static let securities = Locked<[ReferenceSecurity: ConnectionSecurity]>([:])
    /// The most different settings that are kept; they belong to classes, so there are few.
    private static let bound = 64

    /// The object for these settings; equal settings share one, and so their connections.
    ///
    /// Any thread may call it.
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
