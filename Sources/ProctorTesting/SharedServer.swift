internal import ProctorBase
internal import ProctorServer

/// The one server of a test process; runs are what keeps tests apart.
///
/// The server has no catalogue: runs are made of the scenarios that tests ask for, and nothing else is loaded.
enum SharedServer {
    private static let server = Locked<Task<Server, any Error>?>(nil)

    /// Starts the server at the first call; it ends with the process.
    static func started() async throws -> Server {
        let task = server.withLock { server in
            if let task = server { return task }
            let task = Task { try await Server.start(Catalogue([])) }
            server = task
            return task
        }
        return try await task.value
    }
}
