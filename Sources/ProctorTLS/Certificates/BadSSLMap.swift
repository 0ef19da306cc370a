import ProctorBase
package import ProctorDocument

/// Where the hosts of badssl.com that are no certificates have their like: `certs/badssl.yaml`.
package struct BadSSLMap: Sendable {
    /// What is said of one host.
    package enum Entry: Sendable, Equatable {
        /// The id of the scenario that shows the same.
        case scenario(String)
        /// Why nothing does.
        case absent(String)
    }

    /// Hosts without the domain; groups and hosts in the order of the file.
    package private(set) var groups: [(name: String, hosts: [(name: String, entry: Entry)])] = []

    /// An empty map.
    package init() {}

    /// Reads the file; `file` is the name that diagnostics use.
    package static func parse(_ bytes: [UInt8], file: String) -> (map: BadSSLMap, diagnostics: [Diagnostic]) {
        var map = BadSSLMap()
        let document = Document.parse(bytes, file: file)
        guard let root = document.root, document.diagnostics.isEmpty else { return (map, document.diagnostics) }
        let sink = DiagnosticSink()
        let keys = ["certificate", "cipher", "key-exchange", "protocol", "client"]
        for group in MappingReader(root, "the hosts of badssl.com", keys: keys, sink: sink)?.entries ?? [] {
            guard let hosts = group.value.entries else {
                sink.report(group.value, "expected hosts as a mapping, found \(group.value.found)")
                continue
            }
            let entries = hosts.compactMap { host in entry(host.value, sink).map { (name: host.key, entry: $0) } }
            map.groups.append((group.key, entries))
        }
        return (map, sink.sorted())
    }

    private static func entry(_ node: Node, _ sink: DiagnosticSink) -> Entry? {
        if let scenario = node.text { return .scenario(scenario) }
        let shape = "the id of a scenario, or { why: … }"
        let fields = MappingReader(node, "a host", keys: ["why"], shape: shape, sink: sink)
        return fields?.required("why").flatMap { sink.nonEmptyText($0, "a reason") }.map(Entry.absent)
    }
}
