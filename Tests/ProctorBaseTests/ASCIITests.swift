import ProctorBase
import Testing

struct ASCIITests {
    @Test func `the classes of every byte agree with their definition`() {
        for byte in UInt8.min ... .max {
            let character = Character(Unicode.Scalar(byte))
            #expect(byte.isASCIIDigit == "0123456789".contains(character))
            #expect(byte.isASCIILetter == (character.isASCII && character.isLetter))
            let hexadecimal = character.isASCII ? character.hexDigitValue : nil
            #expect(byte.hexadecimalValue.map { Int($0) } == hexadecimal)
            let lower = character.isASCII ? character.lowercased().utf8.first : byte
            #expect(byte.asciiLowercased == lower)
        }
    }
}
