internal import ProctorBase

/// Where all protocol objects of the process load.
enum ReferenceEngine {
    /// Made with the first load, and never ended; a failure is one of the system to make a thread.
    static let shared = Result<LoadingThread, CallFailure> { () throws(CallFailure) in
        try LoadingThread(name: "proctor-protocol")
    }

    private static let securities = Locked<[ReferenceSecurity: ConnectionSecurity]>([:])
    /// Different ones, which classes have and not objects.
    private static let bound = 64

    /// The same one for the same settings, so that objects share connections; from any thread.
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
