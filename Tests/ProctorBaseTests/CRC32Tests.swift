import ProctorBase
import Testing

struct CRC32Tests {
    @Test func `the check value of the algorithm comes out`() {
        #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
        #expect(CRC32.of([0]) == 0xD202_EF8D)
    }

    @Test func `bytes in another order have another checksum`() {
        #expect(CRC32.of("ab".utf8) != CRC32.of("ba".utf8))
    }
}
