internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario

/// What can be served of fixtures of which some are broken: the good ones, and the last good version of the others.
struct PartialLoad {
    let scenarios: [Scenario]
    /// Scenarios that are served as they were before their file broke.
    let keptCount: Int
    /// Files with an error that never were good, so that nothing of them is served.
    let lostFileCount: Int

    /// `former` are the scenarios that were served until now.
    init(_ result: LoadResult, former: [Scenario]) {
        let broken = Set(result.diagnostics.map(\.location.file))
        let good = result.scenarios.filter { !broken.contains($0.location.file) }
        let taken = Set(good.map(\.id))
        let kept = former.filter { Self.concerns(broken, $0.location.file) && !taken.contains($0.id) }
        let keptFiles = Set(kept.map(\.location.file))
        scenarios = (good + kept).sorted { $0.id < $1.id }
        keptCount = kept.count
        lostFileCount = broken.count { file in !keptFiles.contains { $0 == file || $0.hasPrefix(file + "/") } }
    }

    /// Whether a file is broken itself, or stands in a folder that can't be read.
    private static func concerns(_ broken: Set<String>, _ file: String) -> Bool {
        broken.contains(file) || broken.contains { file.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    /// Half a sentence about what is not as its file has it; empty where all is.
    var remark: String {
        var texts: [String] = []
        if keptCount > 0 {
            texts.append("still serving the last good version of \(FixtureReport.count(keptCount, "scenario"))")
        }
        if lostFileCount > 0 {
            texts.append("not serving \(FixtureReport.count(lostFileCount, "file")) with errors")
        }
        return texts.isEmpty ? "" : "; " + texts.joined(separator: "; ")
    }
}
