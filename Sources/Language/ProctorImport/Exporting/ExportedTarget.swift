import ProctorBase
import ProctorHTTP
import ProctorScenario

/// A request that an exchange takes, for tools that show one.
struct ExportedTarget {
    let method: String
    let target: String
    let fields: [(name: String, value: String)]
    let remarks: ImportRemarks

    /// Holes have the value 1, fields their literal text.
    init(_ exchange: Exchange) {
        let request = exchange.request
        var remarks = ImportRemarks()
        func remark(_ sentence: String) { remarks.add(at: exchange.location.description, sentence) }
        method = request.methods?.first.map { String(decoding: $0, as: UTF8.self) } ?? "GET"
        var target = request.target.example
        if request.expression != nil {
            target = "/"
            remark("a target by a regular expression is shown as /")
        }
        if let query = request.query, !query.isEmpty {
            target +=
                "?"
                + query.map { item in
                    let value = Array(item.value.example.utf8)
                    guard !item.isRaw else { return String(decoding: item.name + [0x3D] + value, as: UTF8.self) }
                    let pair = URLEncodedForm.Pair(name: item.name, value: value)
                    return String(decoding: URLEncodedForm([pair]).bytes, as: UTF8.self)
                }.joined(separator: "&")
        }
        self.target = target
        fields = request.headers.compactMap { condition in
            condition.value.takesNone ? nil : (condition.name, condition.value.example)
        }
        if request.more != nil || request.script != nil {
            remark("conditions beside method, target, fields and content are not shown")
        }
        self.remarks = remarks
    }
}

extension BytePattern {
    /// Bytes that it matches.
    var example: String {
        parts.map { part in
            switch part {
            case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
            case .capture: "1"
            case .wildcard: ""
            }
        }.joined()
    }
}

extension ValueCondition {
    /// A value for which it holds, as far as that is plain.
    var example: String {
        switch self {
        case .text(let pattern): pattern.example
        case .anyOf(let conditions): conditions.first { !$0.takesNone }?.example ?? ""
        case .matches, .absent, .not: ""
        }
    }

    /// Whether it asks that there is no value, or says nothing that could be shown.
    var takesNone: Bool {
        switch self {
        case .text, .matches: false
        case .absent, .not: true
        case .anyOf(let conditions): conditions.allSatisfy(\.takesNone)
        }
    }
}
