internal import Foundation
package import ProctorTrace

extension Assignment.Bytes {
    /// Bytes of one body at most: the largest an assignment can ask for.
    package static let limit = 256 << 20

    /// All of it; base64 that is none counts as empty, ``fault`` tells.
    package var content: [UInt8] {
        let unit = text.map { Array($0.utf8) } ?? decoded ?? []
        guard let count, !unit.isEmpty else { return unit }
        let length = min(max(count, 0), Self.limit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += unit.prefix(length - bytes.count) }
        return bytes
    }

    /// Why a client can't send it; nil when it can.
    package var fault: String? {
        if base64 != nil, decoded == nil { return "the body's base64 is none" }
        if let count, !(0...Self.limit).contains(count) {
            return "a body has 0 to \(Self.limit) bytes, not \(count)"
        }
        return nil
    }

    private var decoded: [UInt8]? { base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
}
