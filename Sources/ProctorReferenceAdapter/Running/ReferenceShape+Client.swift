internal import ProctorTrace

extension ReferenceShape {
    /// Who does its steps.
    var client: any StepClient.Type {
        switch self {
        case .session: SessionSteps.self
        case .connection: ConnectionSteps<DataConnection>.self
        case .connectionDownload: ConnectionSteps<DownloadingConnection>.self
        case .download: DownloadSteps.self
        case .urlProtocol: ProtocolSteps.self
        }
    }

    /// What it reports completely.
    var lanes: [Lane] {
        switch self {
        case .session: [.task, .session, .handler, .harness]
        case .connection, .connectionDownload, .download: [.task, .harness]
        case .urlProtocol: [.proto, .protocolClient, .harness]
        }
    }
}
