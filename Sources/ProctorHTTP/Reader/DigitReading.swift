import ProctorBase

/// Numbers of fields: digits alone, since what reads text as a number takes signs and spaces too.
extension Collection<UInt8> {
    /// Nil unless all of it is digits, at least one; what `Int` can't hold becomes its greatest number.
    var saturatedNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard byte.isASCIIDigit else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int(byte & 0x0F))
            // Once there, it stays there: ten times the greatest number is too large again.
            number = isTooLarge || isOver ? .max : sum
        }
        return number
    }
}
