internal import ProctorBase

extension ComparedValue {
    /// The types that the value has by itself.
    var types: Set<InstanceType> {
        switch kind {
        case .null?: [.null]
        case .boolean?: [.boolean]
        case .number?: [.number, .integer]
        case .text?: [.string]
        case .list?: [.array]
        case .object?: [.object]
        case nil: []
        }
    }
}
