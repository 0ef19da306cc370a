internal import ProctorBase

/// One parameter of a SETTINGS frame (RFC 9114 §7.2.4).
package struct HTTP3Setting: Hashable, Sendable, CustomStringConvertible {
    package let identifier: Identifier
    package let value: UInt64

    package init(_ identifier: Identifier, _ value: UInt64) {
        (self.identifier, self.value) = (identifier, value)
    }

    /// Identifies a parameter; a receiver ignores numbers without a name (RFC 9114 §7.2.4).
    package struct Identifier: NamedNumber {
        package let rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// RFC 9204 §5, in bytes.
        package static let maxTableCapacity = Identifier(rawValue: 0x01)
        package static let maxFieldSectionSize = Identifier(rawValue: 0x06)
        /// RFC 9204 §5.
        package static let blockedStreams = Identifier(rawValue: 0x07)
        /// RFC 9220 §3.
        package static let enableConnectProtocol = Identifier(rawValue: 0x08)
        /// RFC 9297 §2.1.1.
        package static let datagram = Identifier(rawValue: 0x33)

        /// Those of IANA, without the prefix SETTINGS_.
        package static let names: [UInt64: String] = [
            0x01: "QPACK_MAX_TABLE_CAPACITY", 0x06: "MAX_FIELD_SECTION_SIZE", 0x07: "QPACK_BLOCKED_STREAMS",
            0x08: "ENABLE_CONNECT_PROTOCOL", 0x33: "H3_DATAGRAM",
        ]

        /// Whether the number is reserved, since HTTP/2 has a parameter of it that HTTP/3 lacks (RFC 9114 §11.2.2).
        var isForbidden: Bool { rawValue == 0 || 2...5 ~= rawValue }
    }

    package var description: String { "\(identifier)=\(value)" }

    /// The violation in the parameter; nil if it is lawful.
    var violation: HTTP3Violation.Kind? {
        switch identifier {
        case _ where identifier.isForbidden: .forbiddenSetting
        case .enableConnectProtocol where value > 1: .badEnableConnectProtocol
        case .datagram where value > 1: .badDatagramSetting
        default: nil
        }
    }
}

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
