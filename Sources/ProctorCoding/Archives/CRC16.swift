/// The CRC of MacBinary II and BinHex 4.0: polynomial 0x1021 from 0, high bit first, also known as XMODEM.
enum CRC16 {
    private static let table: [UInt16] = (0..<256).map { index in
        var value = UInt16(index) << 8
        for _ in 0..<8 { value = value & 0x8000 != 0 ? value << 1 ^ 0x1021 : value << 1 }
        return value
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        let table = table
        var value: UInt16 = 0
        for byte in bytes { value = value << 8 ^ table[Int(UInt8(value >> 8) ^ byte)] }
        return value
    }
}
