internal import ProctorHTTP

extension HTTP2Violation.Kind {
    init(_ fault: FieldSectionFault.Kind) {
        self =
            switch fault {
            case .pseudoFieldMissing: .pseudoFieldMissing
            case .pseudoFieldTwice: .pseudoFieldTwice
            case .pseudoFieldUnknown: .pseudoFieldUnknown
            case .pseudoFieldMisplaced: .pseudoFieldMisplaced
            case .pseudoFieldInTrailers: .pseudoFieldInTrailers
            case .badPseudoField: .badPseudoField
            case .protocolNotEnabled: .protocolNotEnabled
            case .connectWithExtraFields: .connectWithExtraFields
            case .hostDiffersFromAuthority: .hostDiffersFromAuthority
            case .upperCaseName: .upperCaseName
            case .badFieldName: .badFieldName
            case .badFieldValue: .badFieldValue
            case .connectionSpecificField: .connectionSpecificField
            case .badTE: .badTE
            case .contentLengthDiffers: .contentLengthDiffers
            }
    }
}
