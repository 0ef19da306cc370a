internal import ProctorBase
internal import ProctorScenario
internal import ProctorServer

/// The one server of a test process for each set of fixtures; runs are what keeps tests apart.
enum SharedServer {
    private static let servers = Locked<[[String]: Task<Server, any Error>]>([:])

    /// Starts it for the first who asks; it ends with the process.
    static func serving(_ paths: [String]) async throws -> Server {
        let task = servers.withLock { servers in
            if let task = servers[paths] { return task }
            let task = Task {
                let scenarios = try ScenarioLoader.load(paths: paths).get()
                return try await Server.start(Catalogue(scenarios))
            }
            servers[paths] = task
            return task
        }
        return try await task.value
    }
}
