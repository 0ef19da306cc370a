internal import CPCRE2
package import ProctorBase

extension LibraryVersion {
    /// The date of the release is left out.
    package static var pcre2: LibraryVersion {
        // The longest version text that the manual permits has 24 characters.
        var text = [UInt8](repeating: 0, count: 64)
        _ = unsafe text.withUnsafeMutableBytes { unsafe pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), $0.baseAddress) }
        return LibraryVersion("PCRE2", String(decoding: text.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self))
    }
}
