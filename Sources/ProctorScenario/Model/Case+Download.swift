import ProctorDocument
import ProctorNotation
import ProctorProgram

extension Case {
    /// What the name of a case's sitting as a download ends with; no name in a fixture can have it.
    package static let downloadSuffix = "@download"

    /// Whether this is the sitting of a case as a download.
    package var isDownloadSitting: Bool { name.hasSuffix(Self.downloadSuffix) }

    /// The same case with downloads in place of its data tasks; nil where no data task has a `download` expression.
    ///
    /// It has the expressions for downloads, and everything else of the case.
    package var asDownload: Case? {
        let steps = client.indices.filter { client[$0].task == .data }
        guard steps.contains(where: { lanes[Self.lane("download", $0)] != nil }) else { return nil }
        var item = self
        item.name += Self.downloadSuffix
        for step in steps {
            item.client[step].task = .download
            item.lanes[Self.lane("task", step)] = nil
            item.ambient[Self.lane("task", step)] = nil
        }
        return item
    }

    private static func lane(_ name: String, _ step: Int) -> String { step == 0 ? name : "\(name)[\(step)]" }
}

/// Finds what keeps a case with a `download` expression from being taken as a download.
struct DownloadObstacle {
    let client: [ClientProgram]

    /// Half a sentence about the first obstacle; nil where there is none.
    var sentence: String? {
        for (index, program) in client.enumerated() {
            if let reason = Self.reason(program) { return client.count == 1 ? reason : "step \(index): \(reason)" }
        }
        return nil
    }

    private static func reason(_ program: ClientProgram) -> String? {
        switch program.task {
        case .download: return nil
        case .data: break
        case .upload, .handler, .async, .synchronous, .queued: return "task: \(program.task.rawValue) is no download"
        }
        if program.protocolScript != nil { return "a script is played by a URLProtocol" }
        if program.bodyForm != .data { return "bodyForm: a download is given its content as data" }
        if program.onResponse != .allow { return "onResponse: a download task asks for no disposition" }
        if program.onWillCache != .store { return "onWillCache: a download asks for no storing" }
        for (key, moment) in [("cancelAt", program.cancelAt), ("suspendAt", program.suspendAt)] {
            guard case .event(let name, _)? = moment else { continue }
            if !LaneEvents.comes(name, task: .download, onResponse: .allow) {
                return "\(key): \(quoted(name)) never comes for a download"
            }
        }
        return nil
    }
}
