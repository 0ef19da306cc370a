import ProctorBase
package import ProctorDocument
import ProctorEvents
import ProctorRules

/// The demands that musts of a library rest on: the files of the folder `_demands` in the library, by section.
///
/// A library without the folder is held to nothing. The rules of callback order are demands of their own.
package struct DemandCatalogue: Sendable {
    /// Below the root of a library; hidden from the loader of scenarios.
    package static let folderName = "_demands"

    /// More demands are refused.
    private static let demandLimit = 10_000
    private static let byteLimit = 1 << 20

    private let bySection: [String: [Demand]]
    private let byID: [String: Demand]

    private init(_ demands: [Demand]) {
        bySection = Dictionary(grouping: demands, by: \.section)
        byID = Dictionary(demands.map { ($0.id, $0) }) { first, _ in first }
    }

    /// In the order of their ids.
    package var demands: [Demand] { byID.values.sorted { $0.id < $1.id } }

    /// Those of a section in the order of the file; a callback rule's own one.
    ///
    /// Empty for an unknown section.
    package func demands(of section: String) -> [Demand] {
        if let demand = Self.demand(ofRule: section) { return [demand] }
        return bySection[section] ?? []
    }

    /// nil where no demand has that id.
    package func demand(_ id: String) -> Demand? { byID[id] ?? Self.demand(ofRule: Self.rulePrefix + id) }

    /// The nearest id; nil where none is near.
    package func nearest(to id: String) -> String? { NearestName.find(id, in: byID.keys.sorted()) }

    private static let rulePrefix = "callback rule "

    /// nil for a source that is no callback rule.
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
    /// Reads all files of the folder, blocking; a fault of a file leaves its demands out.
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

    /// Reports ids that stand twice.
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

    /// The folder of demands of the library that the fixture file stands in: the nearest one above; nil without one.
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
