/// Somebody who signs certificates: a name and a key.
struct Issuing: Sendable {
    /// DER of the Name.
    let name: [UInt8]
    let key: PrivateKey
    /// DER of its own certificate.
    let certificate: [UInt8]
}
