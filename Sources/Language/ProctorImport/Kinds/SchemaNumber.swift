/// A number within what a schema says: the nearest to 1, or to 1.5 where it need not be whole.
struct SchemaNumber {
    private var least = -1e15
    private var most = 1e15
    private var isLeastOpen = false
    private var isMostOpen = false
    private let step: Double?
    private let isWhole: Bool

    init(_ schema: SchemaView, isWhole: Bool) {
        self.isWhole = isWhole
        let steps = schema.all("multipleOf").compactMap(\.number).filter { $0 > 0 }
        step = steps.max() ?? (isWhole ? 1 : nil)
        for part in schema.parts {
            // OpenAPI 3.0 has a flag beside the bound, 3.1 a number in its place.
            raise(to: part["minimum"], isOpen: part["exclusiveMinimum"]?.boolean == true)
            raise(to: part["exclusiveMinimum"], isOpen: true)
            lower(to: part["maximum"], isOpen: part["exclusiveMaximum"]?.boolean == true)
            lower(to: part["exclusiveMaximum"], isOpen: true)
        }
    }

    private mutating func raise(to bound: SourceValue?, isOpen: Bool) {
        guard let bound = bound?.number, bound > least || bound == least && isOpen else { return }
        (least, isLeastOpen) = (bound, isOpen)
    }

    private mutating func lower(to bound: SourceValue?, isOpen: Bool) {
        guard let bound = bound?.number, bound < most || bound == most && isOpen else { return }
        (most, isMostOpen) = (bound, isOpen)
    }

    /// The text of a number; `variant` counts those that must differ.
    func text(variant: Int) -> String {
        guard let step else { return Self.text(fraction(variant)) }
        // The multiples of the step between the bounds.
        var first = (least / step).rounded(.up)
        if isLeastOpen, first * step <= least { first += 1 }
        var last = (most / step).rounded(.down)
        if isMostOpen, last * step >= most { last -= 1 }
        let wanted = step == 1 ? 1 : max(1, (1 / step).rounded(.up))
        let start = min(max(wanted, first), max(first, last))
        let number = start + Double(variant) <= last ? start + Double(variant) : start - Double(variant)
        return Self.text((isWhole || step >= 1) ? (number * step).rounded() : number * step)
    }

    private func fraction(_ variant: Int) -> Double {
        let wanted = 1.5 + Double(variant)
        if wanted > least, wanted < most { return wanted }
        if most - least >= 2 { return (wanted >= most ? most - 1 : least + 1) + Double(variant) / 1_000 }
        guard least < most else { return least }
        let middle = least + (most - least) / 2
        return variant == 0 ? middle : middle + (most - middle) * Double(variant) / (Double(variant) + 1)
    }

    private static func text(_ number: Double) -> String {
        number.rounded() == number && number.magnitude < 1e15 ? String(Int(number)) : "\(number)"
    }
}

extension SourceValue {
    /// A number that is no flag; nil for anything else.
    var number: Double? { isText ? nil : text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }
}
