/// Whether parts may be sent, or the whole because it is another state by now (RFC 9110 §13.1.5).
public enum IfRange {
    /// True without the field; `now` is in Unix seconds.
    ///
    /// A tag must match strongly. A date must be that of the last change, to the second, and tell apart all states. What
    /// is neither holds for nothing, so that the whole is sent.
    public static func holds(in fields: [HTTPField], for validators: Validators, now: Int) -> Bool {
        guard fields.contains(named: "If-Range") else { return true }
        guard let value = try? fields.singleValue(of: "If-Range") else { return false }
        if let tag = try? EntityTag(value) {
            return validators.entityTag.map { $0.stronglyMatches(tag) } ?? false
        }
        guard let date = try? HTTPDate.unixSeconds(of: value, now: now) else { return false }
        return date == validators.lastModified && validators.hasStrongDate(now: now)
    }
}
