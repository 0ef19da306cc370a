import Testing

@testable import ProctorTLSWire

@Suite struct TLSNamesTests {
    @Test func `numbers have IANA's names`() {
        #expect(TLSNames.cipherSuite(0x1301) == "TLS_AES_128_GCM_SHA256")
        #expect(TLSNames.cipherSuite(0xC02F) == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        #expect(TLSNames.cipherSuite(0x00FF) == "TLS_EMPTY_RENEGOTIATION_INFO_SCSV")
        #expect(TLSNames.extension(16) == "application_layer_protocol_negotiation")
        #expect(TLSNames.extension(51) == "key_share")
        #expect(TLSNames.group(29) == "x25519")
        #expect(TLSNames.group(0x11EC) == "X25519MLKEM768")
        #expect(TLSNames.version(0x0304) == "1.3")
        #expect(TLSNames.version(0x0300) == "SSL 3.0")
        #expect(AlertDescription.name(of: 48) == "unknown_ca")
    }

    @Test func `an unknown number stands for itself, and GREASE for what it is`() {
        #expect(TLSNames.cipherSuite(0x12AB) == "0x12AB")
        #expect(TLSNames.group(0x0003) == "0x0003")
        #expect(AlertDescription.name(of: 200) == "200")
        for number in stride(from: 0x0A0A, through: 0xFAFA, by: 0x1010) {
            #expect(TLSNames.cipherSuite(UInt16(number)) == "GREASE")
            #expect(TLSNames.extension(UInt16(number)) == "GREASE")
            #expect(TLSNames.version(UInt16(number)) == "GREASE")
        }
        #expect(!TLSNames.isGREASE(0x0A1A))
        #expect(!TLSNames.isGREASE(0x1301))
    }

    @Test func `an alert is found by its name`() {
        for number in UInt8.min...UInt8.max where AlertDescription.name(of: number) != String(number) {
            #expect(AlertDescription.number(named: AlertDescription.name(of: number)) == number)
        }
        #expect(AlertDescription.number(named: "nonsense") == nil)
        #expect(AlertDescription.names.first == "close_notify")
    }
}
