/// What is wrong with a field section in any version that has pseudo-fields; HTTP/2 and HTTP/3 each have a section and a
/// code for it.
package struct FieldSectionFault: Sendable, Equatable {
    package let kind: Kind
    /// What was received, for the sentence.
    package let detail: String

    package enum Kind: Sendable {
        case pseudoFieldMissing, pseudoFieldTwice, pseudoFieldUnknown, pseudoFieldMisplaced, pseudoFieldInTrailers
        case badPseudoField, protocolNotEnabled, connectWithExtraFields, hostDiffersFromAuthority
        case upperCaseName, badFieldName, badFieldValue, connectionSpecificField, badTE
        /// Content-Length is no number, or several differ.
        case contentLengthDiffers
    }
}
