/// What both ends of NTLM can do, or have agreed on (MS-NLMP §2.2.2.5).
package struct NTLMFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Texts are UTF-16, the lower byte first.
    package static let unicode = NTLMFlags(rawValue: 1)
    /// Texts have one byte for each character.
    package static let oem = NTLMFlags(rawValue: 2)
    package static let requestTarget = NTLMFlags(rawValue: 4)
    package static let sign = NTLMFlags(rawValue: 0x10)
    package static let seal = NTLMFlags(rawValue: 0x20)
    package static let ntlm = NTLMFlags(rawValue: 0x200)
    package static let anonymous = NTLMFlags(rawValue: 0x800)
    package static let alwaysSign = NTLMFlags(rawValue: 0x8000)
    package static let targetIsServer = NTLMFlags(rawValue: 0x2_0000)
    package static let extendedSessionSecurity = NTLMFlags(rawValue: 0x8_0000)
    package static let targetInfo = NTLMFlags(rawValue: 0x80_0000)
    package static let version = NTLMFlags(rawValue: 0x200_0000)
    package static let strong = NTLMFlags(rawValue: 0x2000_0000)
    package static let weak = NTLMFlags(rawValue: 0x8000_0000)

    /// Bits that have no meaning and are zero.
    static let reserved = NTLMFlags(rawValue: 0x1D24_4508)

    /// `0x` and eight hexadecimal digits.
    package var text: String {
        let digits = String(rawValue, radix: 16)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
