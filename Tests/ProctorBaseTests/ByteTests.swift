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

struct CRC32Tests {
    @Test func `the check value of the algorithm comes out`() {
        #expect(CRC32.checksum(of: "123456789".utf8) == 0xCBF4_3926)
        #expect(CRC32.checksum(of: []) == 0)
        #expect(CRC32.checksum(of: [0]) == 0xD202_EF8D)
    }

    @Test func `bytes in another order have another checksum`() {
        #expect(CRC32.checksum(of: "ab".utf8) != CRC32.checksum(of: "ba".utf8))
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
