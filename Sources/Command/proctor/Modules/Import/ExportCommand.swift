internal import ProctorBase
internal import ProctorDocument
internal import ProctorImport
internal import ProctorScenario

let exportCommand = Command(
    name: "export",
    fillings: { ["kinds": ExportKind.allCases.map { "  \($0.rawValue): \($0.sentence)" }.joined(separator: "\n")] },
    words: { ExportKind.allCases.map(\.rawValue) }, operandNames: "ids"
) { arguments, context in
    let kinds = ExportKind.allCases.map(\.rawValue)
    guard arguments.operands.count == 2 else {
        throw UsageError(
            "'export' takes a kind and an ID: proctor export wiremock shop; kinds are \(kinds.joined(separator: ", "))")
    }
    guard let kind = ExportKind(rawValue: arguments.operands[0]) else {
        let hint = NearestName.hint(
            for: arguments.operands[0], in: kinds, else: "kinds are \(kinds.joined(separator: ", "))")
        throw UsageError("'export' does not know the kind '\(arguments.operands[0])'; \(hint)")
    }
    let library = try FixtureLocation(environment: context.environment).library(of: arguments)
    let scenario = try FixtureReport.scenario(arguments.operands[1], in: library, certificates: nil, context.output)
    // What the machine can't read now is no content that the kind can't say.
    var shortage: Diagnostic?
    let readFile: (SidecarFile) -> [UInt8]? = { file in
        do throws(Diagnostic) {
            return try FileBytes.read(file.path, limit: 16 << 20)
        } catch {
            if error.isTransient { shortage = error }
            return nil
        }
    }
    let exported =
        switch kind {
        case .wiremock: WireMockExport.write(scenario, readFile: readFile)
        case .har: HARExport.write(scenario, version: CommandLine.version, readFile: readFile)
        case .curl: CurlExport.write(scenario, readFile: readFile)
        }
    if let shortage { throw shortage }
    context.output.out(exported.text)
    RemarkList.write(exported.remarks, under: "what \(kind.rawValue) can't say:", context.output)
    return .success
}
