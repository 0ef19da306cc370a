package import ProctorHTTP

/// The parameters of one end that are in force (RFC 9114 §7.2.4.1, RFC 9204 §5).
package struct HTTP3Settings: Sendable, Equatable {
    /// The dynamic table that this end's decoder permits, in bytes.
    package var maxTableCapacity: UInt64 = 0
    package var blockedStreams: UInt64 = 0
    /// nil means no limit.
    package var maxFieldSectionSize: UInt64?
    package var enableConnectProtocol = false
    package var datagram = false

    /// The values before any SETTINGS.
    package init() {}

    /// The values after these parameters; those that are not lawful are ignored.
    package init(_ settings: [HTTP3Setting]) {
        for setting in settings where setting.violation == nil {
            switch setting.identifier {
            case .maxTableCapacity: maxTableCapacity = setting.value
            case .blockedStreams: blockedStreams = setting.value
            case .maxFieldSectionSize: maxFieldSectionSize = setting.value
            case .enableConnectProtocol: enableConnectProtocol = setting.value == 1
            case .datagram: datagram = setting.value == 1
            default: break
            }
        }
    }
}

extension HTTP3Setting {
    /// The violation in the parameter; nil if it is lawful.
    var violation: HTTP3Violation.Kind? {
        switch identifier {
        // Reserved, since HTTP/2 has a parameter of the number that HTTP/3 lacks (RFC 9114 §11.2.2).
        case _ where identifier.rawValue == 0 || 2...5 ~= identifier.rawValue: .forbiddenSetting
        case .enableConnectProtocol where value > 1: .badEnableConnectProtocol
        case .datagram where value > 1: .badDatagramSetting
        default: nil
        }
    }
}
