import ProctorHTTP
import ProctorTrace

/// What a request says in its Cookie field, and in its target of whom it is for.
extension WireRecord.SeenRequest {
    /// The pairs of all Cookie fields, read as servers do; nil without such a field.
    private var cookiePairs: [CookieField.Pair]? {
        let fields = head.fields.values(named: Array("Cookie".utf8))
        return fields.isEmpty ? nil : fields.flatMap { CookieField(parsing: Array($0)).pairs }
    }

    /// Nothing without a Cookie field.
    var cookieNames: Measurement { cookiePairs.map { .list($0.map(\.name)) } ?? .absent }

    /// Names are compared with regard to case (RFC 6265 §5.3); several pairs of one name are a list.
    func cookie(_ name: String) -> Measurement {
        Measurement(ofValues: (cookiePairs ?? []).filter { $0.name == Array(name.utf8) }.map(\.value))
    }

    /// What the model says of that cookie, or else which ones came; half a sentence.
    func reasonForAbsence(ofCookie name: String?) -> String? {
        let wanted = name.map { Array($0.utf8) }
        let difference = cookieVerdict?.differences.first { wanted == nil || $0.name == wanted }
        if let difference { return CookieText.sentence(difference) }
        guard let cookiePairs else { return "the request has no Cookie field" }
        let names = cookiePairs.map { WireText.of($0.name) }.joined(separator: ", ")
        return "its Cookie field has \(names.isEmpty ? "no cookies" : names)"
    }

    /// RFC 9112 §3.2, of the target as the scenario sees it.
    var targetForm: Measurement {
        if target.first == UInt8(ascii: "/") { return Measurement("origin") }
        if target == [UInt8(ascii: "*")] { return Measurement("asterisk") }
        return Measurement(isConnect ? "authority" : "absolute")
    }

    /// Of a target in absolute-form or authority-form, as it stands there.
    var authority: Measurement {
        guard target.first != UInt8(ascii: "/"), target != [UInt8(ascii: "*")] else { return .absent }
        if isConnect { return .text(target) }
        return URIReference(splitting: target).authority.map { .text(Array($0)) } ?? .absent
    }

    var isConnect: Bool { head.methodBytes.elementsEqual("CONNECT".utf8) }
}
