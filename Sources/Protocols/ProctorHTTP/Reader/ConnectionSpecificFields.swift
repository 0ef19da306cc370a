import ProctorBase

/// The connection-specific fields of HTTP/1.1, which no message of HTTP/2 may have (RFC 9113 §8.2.2).
package enum ConnectionSpecificFields {
    /// In lower case.
    package static let names = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]

    /// Whether the name is that of such a field, in any letter case.
    package static func contain(_ name: [UInt8]) -> Bool {
        names.contains { name.count == $0.utf8.count && name.lazy.map(\.asciiLowercased).elementsEqual($0.utf8) }
    }
}
