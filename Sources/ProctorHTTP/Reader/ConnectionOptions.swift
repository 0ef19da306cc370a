/// The options of all Connection lines (RFC 9110 §7.6.1) that this server looks at.
struct ConnectionOptions: Sendable {
    private(set) var close = false
    private(set) var keepAlive = false
    private(set) var te = false
    private(set) var upgrade = false

    mutating func take(_ value: Span<UInt8>, _ place: FieldValue, findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            let option = value.extracting(element)
            switch option.count {
            case 0: findings.note(.emptyListElement, at: place.offset(of: element), value.excerpt(0..<value.count))
            case 5 where option.equalsIgnoringCase("close"): close = true
            case 10 where option.equalsIgnoringCase("keep-alive"): keepAlive = true
            case 2 where option.equalsIgnoringCase("te"): te = true
            case 7 where option.equalsIgnoringCase("upgrade"): upgrade = true
            default:
                if !ListElements.isToken(option) {
                    // An option nobody can name asks for nothing.
                    findings.note(.badConnectionOption, at: place.offset(of: element), value.excerpt(element))
                }
            }
        }
    }
}
