internal import ProctorBase

/// The packs in a folder: each is a folder of scenarios `PACK/NAME`, and is read when somebody names it.
package struct PackFiles: Sendable {
    private let folder: String

    package init(in folder: String) { self.folder = folder }

    /// The file of the scenario `PACK/NAME`, or all files of `PACK`; none where no pack has it.
    package func files(of id: String) -> ScenarioFiles {
        let name = id.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        guard isName, !name.isEmpty else { return ScenarioLoader.find(paths: []) }
        let path = FixturePath("\(folder)/\(name)", prefix: "\(name)/")
        return name == id ? ScenarioLoader.findFixtures([path]) : ScenarioLoader.find(id, in: [path])
    }

    /// Why `files`, those of a pack, are not one scenario; nil where they are one or none.
    package static func mistake(_ files: ScenarioFiles, named id: String) -> String? {
        guard files.ids.count > 1 else { return nil }
        return "'\(id)' is a pack of \(files.ids.count) scenarios, and a run has one; name one of "
            + files.ids.joined(separator: ", ") + ", or serve all with 'proctor serve --pack \(id)'"
    }
}
