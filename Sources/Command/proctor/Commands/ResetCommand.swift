internal import ProctorBase
import ProctorProgram

let resetCommand = Command(name: "reset") { arguments, context in
    guard let name = arguments.operands.first, arguments.operands.count == 1 else {
        throw UsageError("'reset' takes one RUN or one ID: proctor reset plain/get")
    }
    let place = StandingRun.isRun(name) ? "runs/\(name)" : "standing/\(StandingRun.path(of: name))"
    _ = try await ControlConnection(arguments, environment: context.environment).send(.reset(place)).accepted()
    context.output.message("\(name) begins again")
    return .success
}

/// Distinguishes runs from scenarios on a command line.
enum StandingRun {
    /// Whether a name is a run, such as `r12`; any other name is the id of a scenario, or a file.
    static func isRun(_ name: String) -> Bool {
        name.hasPrefix("r") && name.utf8.count > 1 && name.utf8.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    /// The id for a request-target, percent-encoded.
    static func path(of id: String) -> String { PercentEncoding.encode(id, keeping: "/") }
}
