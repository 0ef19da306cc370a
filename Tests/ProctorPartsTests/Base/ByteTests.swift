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

struct SpanTests {
    @Test(arguments: [[], [1], Array(0...255)] as [[UInt8]])
    func `a span becomes an array, and is appended to one`(bytes: [UInt8]) {
        #expect(bytes.span.array == bytes)
        var target: [UInt8] = [9]
        target.append(bytes.span)
        #expect(target == [9] + bytes)
    }
}
