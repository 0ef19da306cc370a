import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// `pace:` of a reply.
    func pace(_ node: Node) -> Pace? {
        guard let reader = MappingReader(node, "a pace", keys: ["bytes", "every", "of"], sink: sink) else { return nil }
        let scope = reader["of"].flatMap { sink.choice($0, "a part of a reply", among: Pace.Scope.self) }
        return portions(reader).map { Pace(byteCount: $0.byteCount, interval: $0.interval, scope: scope ?? .body) }
    }

    /// `bytes:` and `every:`: so many at a time.
    func portions(_ reader: MappingReader) -> (byteCount: Int, interval: Duration)? {
        let byteCount = reader.required("bytes").flatMap { sink.integer($0, "bytes", in: 1...Bounds.bodyByteCount) }
        let interval = reader.required("every").flatMap { duration($0, "every") }
        guard let byteCount, let interval else { return nil }
        return (byteCount, interval)
    }

    /// `honours:` as one word or a list of them.
    func honours(_ node: Node) -> Set<Honour> {
        var honours: Set<Honour> = []
        if node.items?.isEmpty == true { sink.report(node, "honours needs at least one of ranges and conditions") }
        for item in node.items ?? [node] {
            guard let honour = sink.choice(item, "a part of a request", among: Honour.self) else { continue }
            if !honours.insert(honour).inserted { sink.report(item, "\(quoted(honour.rawValue)) stands twice") }
        }
        return honours
    }
}
