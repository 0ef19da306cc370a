import ProctorBase
import ProctorHTTP

/// Requests that WireMock makes behind a reply, as webhooks of an exchange.
struct WireMockWebhook {
    private(set) var remarks = ImportRemarks()

    /// `serveEventListeners`, and `postServeActions` as it was called before.
    mutating func webhooks(of stub: SourceValue) -> [YAMLTree] {
        ["serveEventListeners", "postServeActions"].flatMap { key -> [YAMLTree] in
            guard let given = stub[key] else { return [] }
            return (given.items.map { Array($0) } ?? named(given)).compactMap { webhook($0) }
        }
    }

    /// A mapping of the older form has names as its keys.
    private mutating func named(_ given: SourceValue) -> [SourceValue] {
        for (name, value) in given.members ?? [] where name != "webhook" {
            remarks.add(at: value.place, "the action \(name) is not known here, and is left out")
        }
        return given["webhook"].map { [$0] } ?? []
    }

    private mutating func webhook(_ given: SourceValue) -> YAMLTree? {
        if let name = given["name"]?.text, name != "webhook" {
            remarks.add(at: given.place, "the action \(name) is not known here, and is left out")
            return nil
        }
        let parameters = given["parameters"] ?? given
        guard let url = parameters["url"]?.text, Self.isHere(url) else {
            remarks.add(
                at: given.place,
                "a webhook goes to an http listener of this machine alone, by its address or a value of the request, "
                    + "and this one is left out")
            return nil
        }
        guard parameters["method"]?.text.map({ $0 == "POST" }) ?? true else {
            remarks.add(at: given.place, "a webhook is a POST here, and this one is left out")
            return nil
        }
        SourceForm.wiremock.check(parameters, "the webhook", &remarks)
        var members = [YAMLTree.Member("to", .text(WireMockTemplate.late(url, at: given.place, &remarks)))]
        if let base64 = parameters["base64Body"]?.text {
            members.append(.init("body", ["base64": .text(base64)]))
        } else {
            let body = parameters["body"]?.text ?? ""
            members.append(.init("body", .text(WireMockTemplate.late(body, at: given.place, &remarks))))
        }
        let headers = (parameters["headers"]?.members ?? []).flatMap { name, value in
            (value.items ?? [value]).map { item in
                YAMLTree.Member(name, .text(WireMockTemplate.late(item.text ?? "", at: item.place, &remarks)))
            }
        }
        if !headers.isEmpty { members.append(.init("headers", .list(headers.map { .map([$0]) }))) }
        if let delay = parameters["delay"], !delay.isNull {
            if delay["type"]?.text == "fixed", let time = delay["milliseconds"]?.integer, (0...600_000).contains(time) {
                if time > 0 { members.append(.init("after", .text("\(time)ms"))) }
            } else {
                remarks.add(at: delay.place, "this delay of a webhook can't be said here, and is left out")
            }
        }
        // WireMock accepts every answer of the listener.
        members.append(.init("wants", .text("any")))
        return .map(members)
    }

    /// Whether the URL is of http at an address of this machine, or a template that makes one of a request.
    private static func isHere(_ url: String) -> Bool {
        if url.hasPrefix("{{") { return true }
        let parts = URIReference(splitting: Array(url.utf8))
        guard let scheme = parts.scheme, let host = parts.host, scheme.isSame("http") else { return false }
        let name = String(decoding: host, as: UTF8.self).lowercased()
        return name == "localhost" || name == "[::1]" || name.hasPrefix("127.")
    }
}
