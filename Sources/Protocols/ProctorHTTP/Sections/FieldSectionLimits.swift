/// How much of one field section is kept.
package struct FieldSectionLimits: Sendable, Equatable {
    /// The sum of ``HeaderField/size``; the receiver's SETTINGS_MAX_HEADER_LIST_SIZE or SETTINGS_MAX_FIELD_SECTION_SIZE.
    package var listByteCount: Int
    package var fieldCount: Int

    package init(listByteCount: Int = 64 << 10, fieldCount: Int = 200) {
        self.listByteCount = listByteCount
        self.fieldCount = fieldCount
    }

    package static let all = FieldSectionLimits(listByteCount: .max, fieldCount: .max)
}
