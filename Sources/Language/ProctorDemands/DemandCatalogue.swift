internal import ProctorBase
package import ProctorDocument
internal import ProctorEvents
internal import ProctorRules
internal import ProctorScenario

/// The demands on which the musts of a library rest, by section; read from the folder `_demands` of the library.
///
/// A library without the folder is not checked. Each rule of callback order is a demand too.
package struct DemandCatalogue: Sendable {
    /// The folder's name below the root of a library; the loader of scenarios ignores the folder.
    package static let folderName = "_demands"

    /// The most demands of a library.
    private static let demandLimit = 10_000
    private static let byteLimit = 1 << 20

    private let bySection: [String: [Demand]]
    private let byID: [String: Demand]

    private init(_ demands: [Demand]) {
        bySection = Dictionary(grouping: demands, by: \.section)
        byID = Dictionary(demands.map { ($0.id, $0) }) { first, _ in first }
    }

    /// All demands, sorted by id.
    package var demands: [Demand] { byID.values.sorted { $0.id < $1.id } }

    /// The demands of a section in the order of the file, or the demand of a callback rule.
    ///
    /// Empty for an unknown section.
    package func demands(of section: String) -> [Demand] {
        if let demand = Self.demand(ofRule: section) { return [demand] }
        return bySection[section] ?? []
    }

    /// nil where no demand has that id.
    package func demand(_ id: String) -> Demand? { byID[id] ?? Self.demand(ofRule: Self.rulePrefix + id) }

    /// The id most similar to this one; nil when none is similar.
    package func nearest(to id: String) -> String? { NearestName.find(id, in: byID.keys.sorted()) }

    private static let rulePrefix = "callback rule "

    /// The demand of a callback rule; nil for any other source.
    private static func demand(ofRule source: String) -> Demand? {
        guard source.hasPrefix(rulePrefix) else { return nil }
        let word = String(source.dropFirst(rulePrefix.count))
        guard let number = RuleNumber(parsing: word), let rule = Rules.rule(number) else { return nil }
        return Demand(
            id: "\(number)", section: source, keyword: .callback, subject: .loadingSystem,
            text: "\(rule.title) (\(rule.source))", location: SourceLocation(file: "", line: 0, column: 0))
    }
}

// MARK: Reading

extension DemandCatalogue {
    /// Reads all files of the folder and blocks its thread; a wrong demand is reported and left out.
    package static func load(folder: String) -> (catalogue: DemandCatalogue, diagnostics: [Diagnostic]) {
        var demands: [Demand] = []
        var diagnostics: [Diagnostic] = []
        do throws(Diagnostic) {
            for name in try FileBytes.entries(inFolder: folder).map(\.name).sorted() where name.hasSuffix(".yaml") {
                let path = "\(folder)/\(name)"
                let read = parse(try FileBytes.read(path, limit: byteLimit), file: path)
                demands += read.demands
                diagnostics += read.diagnostics
            }
        } catch {
            diagnostics.append(error)
        }
        let made = make(demands)
        return (made.catalogue, (diagnostics + made.diagnostics).sorted())
    }

    /// Makes a catalogue; reports ids that occur twice.
    package static func make(_ demands: [Demand]) -> (catalogue: DemandCatalogue, diagnostics: [Diagnostic]) {
        var first: [String: Demand] = [:]
        var diagnostics: [Diagnostic] = []
        for demand in demands {
            if let other = first[demand.id] {
                diagnostics.append(
                    Diagnostic(
                        location: demand.location,
                        sentence: "the id \(quoted(demand.id)) is taken by a demand of \(other.section)"))
            } else {
                first[demand.id] = demand
            }
        }
        return (DemandCatalogue(demands), diagnostics)
    }

    /// `file` is the name in messages.
    ///
    ///     RFC 9110 §15.4.8:
    ///       307-keeps-method: { keyword: MUST NOT, subject: user agent, demand: change the method … }
    package static func parse(_ bytes: [UInt8], file: String) -> (demands: [Demand], diagnostics: [Diagnostic]) {
        let (demands, diagnostics) = Document.read(bytes, file: file) { root, sink -> [Demand]? in
            guard let sections = root.entries else {
                return sink.refuse(root, "expected demands by section, found \(root.found)")
            }
            let demands = sections.flatMap { Self.demands(of: $0, sink) }
            guard demands.count <= demandLimit else {
                return sink.refuse(root, "there are \(demands.count) demands; at most \(demandLimit) are read")
            }
            return demands
        }
        return (demands ?? [], diagnostics)
    }

    private static func demands(of section: Node.Entry, _ sink: DiagnosticSink) -> [Demand] {
        guard let entries = section.value.entries, !entries.isEmpty else {
            sink.report(section.value, "expected demands by id, found \(section.value.found)")
            return []
        }
        return entries.compactMap { entry in
            let keys = ["keyword", "subject", "demand"]
            guard let fields = MappingReader(entry.value, "a demand", keys: keys, sink: sink),
                let keyword = fields.required("keyword").flatMap({
                    sink.choice($0, "a keyword", among: Demand.Keyword.self)
                }),
                let subject = fields.required("subject").flatMap({
                    sink.choice($0, "a subject", among: Demand.Subject.self)
                }), let text = fields.required("demand").flatMap({ sink.nonEmptyText($0, "a demand") })
            else { return nil }
            return Demand(
                id: entry.key, section: section.key, keyword: keyword, subject: subject, text: text,
                location: entry.keyNode.location)
        }
    }

    /// Whether the folder is the root of a library with demands.
    package static func stands(in root: String) -> Bool {
        (try? FileBytes.status("\(root)/\(folderName)"))?.kind == .folder
    }

    /// The nearest folder of demands above a fixture file; nil without one.
    package static func folder(above file: String) -> String? {
        var path = FileBytes.realPath(file) ?? file
        while let slash = path.lastIndex(of: "/") {
            path = String(path[..<slash])
            let folder = "\(path)/\(folderName)"
            if let status = try? FileBytes.status(folder), status.kind == .folder { return folder }
        }
        return nil
    }
}
