internal import CBrotli
internal import CZlib
internal import CZstd
package import ProctorBase

extension LibraryVersion {
    package static var zlib: LibraryVersion { unsafe LibraryVersion("zlib", zlibVersion()) }

    package static var brotli: LibraryVersion {
        // Major, minor and patch version in 8, 12 and 12 bits.
        let number = BrotliEncoderVersion()
        return LibraryVersion("brotli", "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)")
    }

    package static var zstd: LibraryVersion { unsafe LibraryVersion("zstd", ZSTD_versionString()) }
}
