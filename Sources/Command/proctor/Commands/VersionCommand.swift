internal import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorLoop
internal import ProctorModules
internal import ProctorRegex
internal import ProctorScenario
internal import ProctorTLS

let versionCommand = Command(name: "version") { arguments, context in
    if let operand = arguments.operands.first { throw UsageError("'version' does not take '\(operand)'") }
    guard arguments.has("--json") else {
        context.output.line("proctor \(CommandLine.version)")
        return .success
    }
    context.output.line(try Inside.json)
    return .success
}

/// The content of `proctor version --json`.
private enum Inside {
    static let libraries: [LibraryVersion] =
        [.openSSL, .libuv, .libyaml, .pcre2, .zlib, .brotli, .zstd] + ServerModules.libraries
        + Modules.present.flatMap(\.libraries)

    static var json: String {
        get throws {
            var json = JSONText()
            json.open("{")
            json.member("proctor", CommandLine.version)
            json.member("system", SystemFacts.name)
            json.object("libraries") { json in
                for library in libraries { json.member(library.name, library.version) }
            }
            try add("fixtures", to: &json) { folder, json in
                json.member("scenarios", ScenarioLoader.ids(in: [folder]).count)
            }
            try add("certs", to: &json) { folder, json in
                json.member("profiles", CertificateCatalog.load(folders: [folder]).0.names.count)
            }
            try add("clients", to: &json) { folder, json in
                json.texts("adapters", try names(in: "\(folder)/adapters").filter { !$0.contains(".") && $0 != "src" })
                let files = try names(in: "\(folder)/platforms").filter { $0.hasSuffix(".yaml") }
                json.texts("platforms", files.map { String($0.dropLast(".yaml".count)) })
            }
            try add("packs", to: &json) { folder, json in json.texts("names", try names(in: folder)) }
            json.close("}")
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    /// Adds nothing for a folder that is not shipped with the program.
    private static func add(
        _ name: StaticString, to json: inout JSONText, _ content: (String, inout JSONText) throws -> Void
    ) throws {
        guard let shipped = try ShippedFiles.find(name.description) else { return }
        json.key(name)
        json.open("{")
        json.member("place", shipped.place.rawValue)
        json.member("folder", AbsolutePath.withoutLinks(shipped.folder) ?? shipped.folder)
        try content(shipped.folder, &json)
        json.close("}")
    }

    private static func names(in folder: String) throws -> [String] {
        try FolderList.namesIfAny(in: folder).filter { !$0.hasPrefix(".") }.sorted()
    }
}
