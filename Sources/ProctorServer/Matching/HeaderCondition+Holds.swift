internal import ProctorHTTP
internal import ProctorScenario

extension RequestPattern.HeaderCondition {
    func holds(for head: RequestHead) -> Bool {
        let name = Array(name.utf8)
        guard let value else { return !head.fields.contains(named: name) }
        return head.fields.values(named: name).contains { value.match($0.span) != nil }
    }
}
