internal import ProctorDescriptions

extension ModuleRows {
    static let ofSchemas = ModuleRows(language: Descriptions.register)
}
