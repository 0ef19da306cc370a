package import ProctorBase

/// One parameter of a SETTINGS frame (RFC 9113 §6.5.1, RFC 9114 §7.2.4).
package struct ProtocolSetting<Identifier: SettingIdentifier>: Hashable, Sendable, CustomStringConvertible {
    package let identifier: Identifier
    package let value: Identifier.Value

    package init(_ identifier: Identifier, _ value: Identifier.Value) {
        (self.identifier, self.value) = (identifier, value)
    }

    package var description: String { "\(identifier)=\(value)" }
}

package typealias Setting = ProtocolSetting<HTTP2SettingIdentifier>
package typealias HTTP3Setting = ProtocolSetting<HTTP3SettingIdentifier>

/// Identifies a parameter, by IANA's name without the prefix SETTINGS_; a receiver ignores one without a name.
package protocol SettingIdentifier: NamedNumber {
    associatedtype Value: FixedWidthInteger & Hashable & Sendable
}

/// Identifies a parameter of HTTP/2 (RFC 9113 §6.5.2).
package struct HTTP2SettingIdentifier: SettingIdentifier {
    package typealias Value = UInt32
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let headerTableSize = Self(rawValue: 0x01)
    package static let enablePush = Self(rawValue: 0x02)
    package static let maxConcurrentStreams = Self(rawValue: 0x03)
    package static let initialWindowSize = Self(rawValue: 0x04)
    package static let maxFrameSize = Self(rawValue: 0x05)
    package static let maxHeaderListSize = Self(rawValue: 0x06)
    /// RFC 8441 §3.
    package static let enableConnectProtocol = Self(rawValue: 0x08)
    /// RFC 9218 §2.1.
    package static let noRFC7540Priorities = Self(rawValue: 0x09)

    package static let names: [UInt16: String] = registeredNames("http2-setting")
}

/// Identifies a parameter of HTTP/3 (RFC 9114 §7.2.4).
package struct HTTP3SettingIdentifier: SettingIdentifier {
    package typealias Value = UInt64
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// RFC 9204 §5, in bytes.
    package static let maxTableCapacity = Self(rawValue: 0x01)
    package static let maxFieldSectionSize = Self(rawValue: 0x06)
    /// RFC 9204 §5.
    package static let blockedStreams = Self(rawValue: 0x07)
    /// RFC 9220 §3.
    package static let enableConnectProtocol = Self(rawValue: 0x08)
    /// RFC 9297 §2.1.1.
    package static let datagram = Self(rawValue: 0x33)

    package static let names: [UInt64: String] = registeredNames("http3-setting")
}
