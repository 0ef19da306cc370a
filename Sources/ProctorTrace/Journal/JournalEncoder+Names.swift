import ProctorBase
import ProctorHTTP

// What the journal says of names, proxies and cookies.
extension JournalEncoder {
    static func appendRouted(_ origin: String, _ routing: JournalEvent.Routing, to json: inout JSONText) {
        json.member("ev", "routed")
        json.member("origin", origin)
        json.member("by", routing.rawValue)
    }

    /// `connection` of the line is the one on which the tunnel was asked for.
    static func appendTunnel(
        _ authority: String, _ origin: String, connection: Int, to json: inout JSONText
    ) {
        json.member("ev", "tunnelOpened")
        json.member("authority", authority)
        json.member("origin", origin)
        json.member("tunnelConnection", connection)
    }

    static func append(_ notes: [SetCookieNote], to json: inout JSONText) {
        json.member("ev", "cookiesSet")
        json.key("cookies")
        json.list(notes) { note, json in
            json.open("{")
            json.member("field", orBase64: "fieldBase64", note.field[...])
            json.member("outcome", note.outcome.rawValue)
            if let outcome = note.revisedOutcome { json.member("revisedOutcome", outcome.rawValue) }
            json.key("remarks")
            json.open("[")
            for remark in note.remarks { json.element(remark) }
            json.close("]")
            json.close("}")
        }
    }

    static func append(_ verdict: CookieVerdict, to json: inout JSONText) {
        json.member("ev", "cookiesJudged")
        json.key("sent")
        json.open("[")
        for field in verdict.sent { append(field[...], to: &json) }
        json.close("]")
        if let expected = verdict.expected { json.member("expected", orBase64: "expectedBase64", expected[...]) }
        json.key("conformsTo")
        json.open("[")
        for edition in verdict.conformsTo { json.element(edition.rawValue) }
        json.close("]")
        append(verdict.differences, to: &json)
        if let reading = verdict.otherwise {
            json.key("otherwise")
            json.open("{")
            json.member("edition", reading.edition.rawValue)
            if let expected = reading.expected { json.member("expected", orBase64: "expectedBase64", expected[...]) }
            append(reading.differences, to: &json)
            json.close("}")
        }
        if verdict.undecidedCount > 0 { json.member("undecided", verdict.undecidedCount) }
    }

    private static func append(_ differences: [CookieDifference], to json: inout JSONText) {
        json.key("differences")
        json.list(differences) { difference, json in
            json.open("{")
            json.member("kind", difference.kind.rawValue)
            json.member("name", orBase64: "nameBase64", difference.name[...])
            json.member("sentence", difference.sentence)
            json.member("section", difference.section)
            json.close("}")
        }
    }
}
