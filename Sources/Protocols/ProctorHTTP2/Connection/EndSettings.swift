package import ProctorHTTP

/// The parameters of one end of a connection that are in force (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1).
package struct EndSettings: Sendable, Equatable {
    package var headerTableSize: UInt32 = 4_096
    package var enablePush = true
    /// nil means no limit.
    package var maxConcurrentStreams: UInt32?
    package var initialWindowSize = FlowWindow.usual
    package var maxFrameSize = UInt32(FrameLimits.smallestMaximum)
    /// nil means no limit.
    package var maxHeaderListSize: UInt32?
    package var enableConnectProtocol = false
    package var noRFC7540Priorities = false

    /// The initial values, before any SETTINGS.
    package init() {}

    /// Applies one parameter; a value that is not lawful is ignored.
    package mutating func apply(_ setting: Setting) {
        guard setting.violation == nil else { return }
        switch setting.identifier {
        case .headerTableSize: headerTableSize = setting.value
        case .enablePush: enablePush = setting.value == 1
        case .maxConcurrentStreams: maxConcurrentStreams = setting.value
        case .initialWindowSize: initialWindowSize = setting.value
        case .maxFrameSize: maxFrameSize = setting.value
        case .maxHeaderListSize: maxHeaderListSize = setting.value
        case .enableConnectProtocol: enableConnectProtocol = setting.value == 1
        case .noRFC7540Priorities: noRFC7540Priorities = setting.value == 1
        default: break
        }
    }
}
