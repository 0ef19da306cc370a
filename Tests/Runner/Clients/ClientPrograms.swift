import Foundation
import ProctorBase
import ProctorFixtures
import ProctorGrading
import ProctorRules
import ProctorServer
import ProctorTestSupport

@testable import ProctorExam

#if PROCTOR_QUIC
    import ProctorHTTP3Serving
    import ProctorQUIC
#endif

/// The processes of the reference client, which are kept from row to row.
final class ClientPrograms: Sendable {
    private let path: String
    /// What this client promises, and so what its traces are held against.
    private let platform = Result {
        let file = Project.path + "/clients/platforms/reference.yaml"
        let read = Platform.parse(Array(try Data(contentsOf: URL(filePath: file))), file: file)
        guard let platform = read.platform else { throw UsageError("\(file): \(read)") }
        return platform
    }
    /// By the arguments of the program.
    private let children = Locked<[[String]: KeptChildren]>([:])

    /// nil stands for the folder of this program.
    init(folder: String?) {
        let own = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        path = (folder ?? own) + "/proctor-client-reference"
    }

    /// Does an assignment in a run of its own.
    func sit(_ assignment: ClientAssignment) async throws -> ClientTelling {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RowError(
                assignment.line, "there is no \(path); build it: swift build --product proctor-client-reference")
        }
        let environment = ProcessInfo.processInfo.environment
        var adapter = Adapter(command: [path] + assignment.arguments, environment: environment)
        adapter.takesManyAssignments = true
        for (name, value) in environment where name.hasSuffix("SAN_OPTIONS") || name == "PROCTOR_MISTAKE" {
            adapter.environment[name] = value
        }
        var configuration = ServerConfiguration()
        #if PROCTOR_QUIC
            configuration.http3 = HTTP3Serving(over: NGTCP2Transport())
        #endif
        let server = try await Server.start(Catalogue([assignment.scenario]), configuration: configuration)
        var examiner = Examiner(
            server: server, adapter: adapter, platform: try platform.get(), speaking: assignment.wantedProtocol)
        examiner.children = children.withLock { children in
            let kept = children[assignment.arguments] ?? KeptChildren()
            children[assignment.arguments] = kept
            return kept
        }
        examiner.keepsTexts = true
        let sitting = await examiner.sit(assignment.item, of: assignment.scenario)
        await server.stop(grace: .zero)
        return try ClientTelling(sitting, at: assignment.line)
    }
}
