import ProctorDocument
import ProctorNotation
import ProctorProgram

extension Case {
    /// The suffix of the name of a case run as a download; no name in a fixture can end with it.
    package static let downloadSuffix = "@download"

    /// Whether this is a case run as a download.
    package var isDownloadSitting: Bool { name.hasSuffix(Self.downloadSuffix) }

    /// A copy of the case with downloads instead of data tasks; nil when no data task has a `download` expression.
    ///
    /// The case has the expressions for downloads; everything else is unchanged.
    package var asDownload: Case? {
        let steps = client.indices.filter { client[$0].task == .data }
        guard steps.contains(where: { lanes[Self.lane("download", $0)] != nil }) else { return nil }
        var item = self
        item.name += Self.downloadSuffix
        for step in steps {
            item.client[step].step.task = .download
            item.lanes[Self.lane("task", step)] = nil
            item.ambient[Self.lane("task", step)] = nil
        }
        return item
    }

    private static func lane(_ name: String, _ step: Int) -> String { step == 0 ? name : "\(name)[\(step)]" }
}

/// Finds why a case with a `download` expression can't be run as a download.
package struct DownloadObstacle {
    package let client: [ClientProgram]

    package init(client: [ClientProgram]) {
        self.client = client
    }

    /// Half a sentence about the first obstacle; nil when there is none.
    package var sentence: String? {
        for (index, program) in client.enumerated() {
            if let reason = Self.reason(program) { return client.count == 1 ? reason : "step \(index): \(reason)" }
        }
        return nil
    }

    private static func reason(_ program: ClientProgram) -> String? {
        switch program.task {
        case .download: return nil
        case .data: break
        case .upload, .handler, .async, .synchronous, .queued, .eventSource, .eventStream, .websocket:
            return "task: \(program.task.rawValue) is no download"
        }
        if program.protocolScript != nil { return "a script is played by a URLProtocol" }
        if program.bodyForm != .data { return "bodyForm: a download is given its content as data" }
        for (key, method) in program.step.answers {
            if method == .response { return "\(key): a download task asks for no disposition" }
            if method == .willCache { return "\(key): a download asks for no storing" }
        }
        for (key, moment) in program.step.moments {
            guard case .event(let name, _) = moment else { continue }
            if !LaneEvents.comes(name, task: .download, onResponse: .allow) {
                return "\(key): \(quoted(name)) never comes for a download"
            }
        }
        return nil
    }
}
