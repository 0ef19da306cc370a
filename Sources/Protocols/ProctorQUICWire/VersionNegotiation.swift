/// The packet that names the versions of a server (RFC 9000 §17.2.1).
package enum VersionNegotiation {
    /// `first` is a random byte, of which seven bits are used; the ids are those of the packet that is answered, of 255 bytes at most.
    package static func packet(
        to destination: ArraySlice<UInt8>, from source: ArraySlice<UInt8>, first: UInt8
    ) -> [UInt8] {
        // The second bit is set, so that the packet is told from those of other protocols.
        var bytes: [UInt8] = [0xC0 | first, 0, 0, 0, 0]
        for id in [destination.prefix(255), source.prefix(255)] {
            bytes.append(UInt8(id.count))
            bytes += id
        }
        return bytes + [0, 0, 0, UInt8(LongHeader.version1)]
    }
}
