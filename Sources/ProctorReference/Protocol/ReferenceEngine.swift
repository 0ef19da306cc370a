internal import ProctorBase

/// Where all protocol objects of the process load.
enum ReferenceEngine {
    /// Made with the first load, and never ended; a failure is one of the system to make a thread.
    static let shared = Result<LoadingThread, CallFailure> { () throws(CallFailure) in
        try LoadingThread(name: "proctor-protocol")
    }
}
