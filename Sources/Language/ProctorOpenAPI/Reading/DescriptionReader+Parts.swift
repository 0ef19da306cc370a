internal import ProctorDocument
internal import ProctorHTTP
internal import ProctorSchema

/// A parameter or a header before the schemas are read.
struct PendingParameter {
    let name: String
    let location: APIDescription.Parameter.Location
    let finish: (JSONSchema) -> APIDescription.Parameter
}

extension DescriptionReader {
    typealias Parameter = APIDescription.Parameter
    typealias Media = APIDescription.Media

    /// nil after a diagnostic.
    func parameter(_ part: Part) -> PendingParameter? {
        guard let part = resolved(part) else { return nil }
        guard let name = part["name"]?.node.text else { return sink.refuse(part.node, "a parameter has a name") }
        guard let place = part["in"] else { return sink.refuse(part.node, "a parameter says where it is, by in") }
        guard let location = sink.choice(place.node, "a place", among: Parameter.Location.self) else { return nil }
        let usual: Parameter.Style = location == .path || location == .header ? .simple : .form
        return parameter(named: name, in: location, part, usual: usual)
    }

    /// A header of a reply.
    private func header(_ name: String, _ part: Part) -> PendingParameter? {
        guard let part = resolved(part) else { return nil }
        return parameter(named: name, in: .header, part, usual: .simple)
    }

    private func parameter(
        named name: String, in location: Parameter.Location, _ part: Part, usual: Parameter.Style
    ) -> PendingParameter? {
        var style = usual
        if let node = part["style"]?.node {
            guard let text = sink.text(node, "a style") else { return nil }
            guard let known = Parameter.Style(rawValue: text) else {
                return sink.refuse(
                    node, "values of the style \(quoted(text)) are not read",
                    hint: "known: \(Parameter.Style.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            style = known
        }
        let isRequired = part["required"].map { sink.boolean($0.node, "required") ?? false } ?? false
        let explodes = part["explode"].map { sink.boolean($0.node, "explode") ?? false } ?? (style == .form)
        var makeValue: (JSONSchema) -> Parameter.Value? = { _ in nil }
        if let schema = part["schema"] {
            let number = self.schema(schema)
            makeValue = { read in
                let entry = read.entry(number)
                return .styled(entry, entry.kind)
            }
        } else if let content = part["content"]?.members.first, let schema = content.part["schema"] {
            guard MediaRange.isJSON(content.key) else {
                return sink.refuse(
                    content.keyNode, "a parameter of \(quoted(content.key)) is not read", hint: "application/json is")
            }
            let number = self.schema(schema)
            makeValue = { .json($0.entry(number)) }
        }
        // OpenAPI §4.8.12.1: these are described elsewhere.
        let isIgnored = location == .header && ["accept", "content-type", "authorization"].contains(name.lowercased())
        guard !isIgnored else { return nil }
        return PendingParameter(name: name, location: location) { read in
            Parameter(
                name: name, location: location, isRequired: isRequired || location == .path, style: style,
                explodes: explodes, value: makeValue(read), place: part.place)
        }
    }

    func requestBody(_ part: Part) -> ((JSONSchema) -> APIDescription.RequestBody)? {
        guard let part = resolved(part) else { return nil }
        let isRequired = part["required"].map { sink.boolean($0.node, "required") ?? false } ?? false
        let contents = medias(part["content"])
        if contents.isEmpty { sink.report(part.node, "a request body has content by media type") }
        return { read in
            APIDescription.RequestBody(isRequired: isRequired, contents: contents.map { $0(read) }, place: part.place)
        }
    }

    /// nil where the status can't be read.
    func response(
        _ status: String, _ part: Part, unread: inout [String]
    ) -> ((JSONSchema) -> APIDescription.Response)? {
        let isRange = status.count == 3 && status.uppercased().hasSuffix("XX")
        guard status == "default" || isRange || (status.count == 3 && Int(status) != nil) else {
            return reading("status", &unread) {
                sink.refuse(part.node, "\(quoted(status)) is no status", hint: "like \"200\", 4XX or default")
            }
        }
        let name = status.count == 3 ? status.uppercased() : status
        let whole = part
        var openings: [String] = []
        guard let part = reading("status \(name)", &openings, { resolved(whole) }) else {
            let heldOpenings = openings
            return { _ in
                APIDescription.Response(
                    status: name, headers: [], contents: [], place: whole.place, openings: heldOpenings)
            }
        }
        let headers = (part["headers"]?.members ?? []).compactMap { member in
            reading("field \(member.key)", &openings) { header(member.key, member.part) }
        }
        let contents = medias(part["content"])
        let heldOpenings = openings
        return { read in
            APIDescription.Response(
                status: name, headers: headers.map { $0.finish(read) }, contents: contents.map { $0(read) },
                place: part.place, openings: heldOpenings)
        }
    }

    private func medias(_ part: Part?) -> [(JSONSchema) -> Media] {
        (part?.members ?? []).map { key, keyNode, part in
            guard let range = MediaRange.essence(key) else {
                let sentence = "\(quoted(key)) is no media type"
                sink.report(keyNode, sentence)
                // Content of any type may be meant.
                return { _ in
                    Media(range: "*/*", schema: nil, kind: .open, place: part.place, open: sentence)
                }
            }
            let number = part["schema"].map { self.schema($0) }
            let styled = part["encoding"]?.members.first { $0.part["style"] != nil || $0.part["explode"] != nil }
            let open = styled.map { "the encoding of \(quoted($0.key)) has a style, which is not read" }
            if let styled, let open { sink.report(styled.keyNode, open) }
            return { read in
                let schema = number.map { read.entry($0) }
                // JSON says itself what its values are.
                let kind = MediaRange.isJSON(range) ? .open : schema?.kind ?? .open
                return Media(range: range, schema: schema, kind: kind, place: part.place, open: open)
            }
        }
    }

    // MARK: Security

    func requirements(_ part: Part) -> [[APIDescription.SecurityScheme]] {
        // A scheme that can't be read is shown by nothing that is known.
        part.items.map { requirement in
            requirement.members.map { scheme($0.key, $0.keyNode) ?? .unseen(scheme: $0.key) }
        }
    }

    private func scheme(_ name: String, _ mention: Node) -> APIDescription.SecurityScheme? {
        let top = Part(node: root, pointer: "")
        guard let declared = top["components"]?["securitySchemes"]?[name], let part = resolved(declared) else {
            return sink.refuse(mention, "no security scheme is called \(quoted(name))")
        }
        switch part["type"]?.node.text {
        case "apiKey":
            guard let key = part["name"]?.node.text, let place = part["in"],
                let location = sink.choice(place.node, "a place", among: Parameter.Location.self)
            else { return sink.refuse(part.node, "an apiKey has its name, and says by in where it is") }
            return .key(name: key, in: location, scheme: name)
        case "http":
            guard let scheme = part["scheme"]?.node.text else {
                return sink.refuse(part.node, "a scheme of http is named by scheme")
            }
            return .authorization(scheme.lowercased(), scheme: name)
        case "oauth2", "openIdConnect": return .authorization("bearer", scheme: name)
        case "mutualTLS": return .unseen(scheme: name)
        default:
            return sink.refuse(
                part.node, "the security scheme \(quoted(name)) has no known type",
                hint: "known: apiKey, http, oauth2, openIdConnect, mutualTLS")
        }
    }
}

/// Media types and the ranges of them that descriptions name.
enum MediaRange {
    /// The type without parameters, in lower case, or a range such as `text/*`; nil for other text.
    static func essence(_ text: String) -> String? {
        let range = text.prefix { $0 != ";" }.lowercased().trimmingBlanks
        let parts = range.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? range : nil
    }

    static func isJSON(_ essence: String) -> Bool {
        let range = MediaRange.essence(essence) ?? essence
        return range == "application/json" || range.hasSuffix("+json")
    }

    /// How closely a range fits a type: nil: not at all, greater is closer.
    static func fit(_ range: String, _ essence: String) -> Int? {
        if range == essence { return 3 }
        guard range.hasSuffix("/*") else { return nil }
        let type = range.dropLast(2)
        if type == "*" { return 1 }
        return essence.hasPrefix(type + "/") ? 2 : nil
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...]
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
