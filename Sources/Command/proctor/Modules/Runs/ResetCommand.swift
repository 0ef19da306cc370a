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
