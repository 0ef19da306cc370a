internal import ProctorHTTP

extension Setting {
    /// The violation in the value; nil if it is lawful.
    var violation: HTTP2Violation.Kind? {
        switch identifier {
        case .enablePush where value > 1: .badEnablePush
        case .initialWindowSize where value > FlowWindow.largest: .badInitialWindowSize
        case .maxFrameSize where !(FrameLimits.smallestMaximum...FrameLimits.largestMaximum).contains(Int(value)):
            .badMaxFrameSize
        case .enableConnectProtocol where value > 1: .badEnableConnectProtocol
        case .noRFC7540Priorities where value > 1: .badNoPriorities
        default: nil
        }
    }
}
