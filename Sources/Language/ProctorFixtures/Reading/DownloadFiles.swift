import ProctorBase
import ProctorDocument
import ProctorProgram
import ProctorScenario

/// The application's settings for the file of an NSURLDownload.
struct DownloadFileKeys: Sendable {
    let deletesFileUponFailure = Key("deletesFileUponFailure", Shape<Bool>.boolean("deletesFileUponFailure"))
    let destination = Key<String>("destination") { $1.fileName($0) }
    let overwrites = Key("overwrites", Shape<Bool>.boolean("overwrites"))
}

extension ScenarioReader {
    static let downloadFileTable = Table("a download's file", DownloadFileKeys())

    func downloadFile(_ node: Node) -> Assignment.DownloadFileProgram? {
        guard let keys = Self.downloadFileTable.open(node, self) else { return nil }
        var program = Assignment.DownloadFileProgram()
        program.deletesFileUponFailure = keys[\.deletesFileUponFailure]
        program.destination = keys[\.destination]
        program.overwrites = keys[\.overwrites]
        let hasKeys =
            keys.entry(\.deletesFileUponFailure) != nil || keys.entry(\.destination) != nil
            || keys.entry(\.overwrites) != nil || keys.hasUnknownKeys
        guard hasKeys else {
            return sink.refuse(node, "\"download\" says nothing of the file")
        }
        return program
    }

    fileprivate func fileName(_ node: Node) -> String? {
        guard let text = sink.text(node, "a file name") else { return nil }
        let isName =
            text.utf8.count <= 100 && text.utf8.first.map { $0.isASCIILetter || $0.isASCIIDigit } == true
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
        if isName { return text }
        return sink.refuse(
            node, "\(quoted(text)) cannot name a file here",
            hint: "use letters, digits, '-', '_' and '.', a letter or digit first, at most 100")
    }
}
