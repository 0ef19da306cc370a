/// Tells a changed scenario from one that is the same as before (FNV-1a).
///
/// A reference, because what a scenario is made of is found in many places; for one thread at a time.
final class Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(of bytes: [UInt8]) {
        mix(bytes)
    }

    /// Takes in something that the file itself does not show.
    func mix(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
