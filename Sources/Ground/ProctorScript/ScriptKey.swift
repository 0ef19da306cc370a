/// A key that a script names.
package struct ScriptKey: Sendable, Equatable {
    /// A name of JOSE, as the script or a peer gave it.
    package let algorithm: [UInt8]
    /// The name of a key of the run as text, or a JSON Web Key as a table.
    package let source: ScriptValue

    package enum Act: Sendable, Equatable {
        /// The result is a JSON Web Key as a table.
        case show(withPrivate: Bool)
        /// The result is the signature as text.
        case sign([UInt8])
        /// The result is a flag; a failure says why the key is none.
        case verify([UInt8], signature: [UInt8])
    }

    /// The longest name of a key of the run.
    package static let nameByteLimit = 200
}
