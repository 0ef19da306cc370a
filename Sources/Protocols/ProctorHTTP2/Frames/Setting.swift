internal import ProctorBase

/// One parameter of a SETTINGS frame (RFC 9113 §6.5.1).
package struct Setting: Hashable, Sendable, CustomStringConvertible {
    package let identifier: Identifier
    package let value: UInt32

    package init(_ identifier: Identifier, _ value: UInt32) {
        (self.identifier, self.value) = (identifier, value)
    }

    /// Identifies a parameter; a receiver ignores numbers without a name (RFC 9113 §6.5.2).
    package struct Identifier: NamedNumber {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let headerTableSize = Identifier(rawValue: 0x01)
        package static let enablePush = Identifier(rawValue: 0x02)
        package static let maxConcurrentStreams = Identifier(rawValue: 0x03)
        package static let initialWindowSize = Identifier(rawValue: 0x04)
        package static let maxFrameSize = Identifier(rawValue: 0x05)
        package static let maxHeaderListSize = Identifier(rawValue: 0x06)
        /// RFC 8441 §3.
        package static let enableConnectProtocol = Identifier(rawValue: 0x08)
        /// RFC 9218 §2.1.
        package static let noRFC7540Priorities = Identifier(rawValue: 0x09)

        /// Those of IANA, without the prefix SETTINGS_.
        package static let names: [UInt16: String] = [
            0x01: "HEADER_TABLE_SIZE", 0x02: "ENABLE_PUSH", 0x03: "MAX_CONCURRENT_STREAMS",
            0x04: "INITIAL_WINDOW_SIZE", 0x05: "MAX_FRAME_SIZE", 0x06: "MAX_HEADER_LIST_SIZE",
            0x08: "ENABLE_CONNECT_PROTOCOL", 0x09: "NO_RFC7540_PRIORITIES",
        ]
    }

    package var description: String { "\(identifier)=\(value)" }

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
