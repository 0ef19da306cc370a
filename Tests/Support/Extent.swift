import Foundation
public import Testing

/// How much the tests ask, by `PROCTOR_TESTS` in the environment: without it what `make test` asks; with `wide` also what other
/// programs and whole families are needed for, as `make test-all` sets it; with `every` every case too, as at night.
public enum Extent {
    private static let word = ProcessInfo.processInfo.environment["PROCTOR_TESTS"] ?? ""
    /// Whether tests run that need other programs or walk whole families.
    public static let isWide = !word.isEmpty
    /// Whether everything is asked.
    public static let isWhole = word == "every"

    /// Every element where everything is asked; else the first one of each group that `key` names, in their order, and of
    /// these every `stride`-th from `offset` on, so that callers with other offsets share the groups among them.
    public static func of<Element, Key: Hashable>(
        _ elements: [Element], stride: Int = 1, offset: Int = 0, oneFor key: (Element) -> Key
    ) -> [Element] {
        guard !isWhole else { return elements }
        var seen: Set<Key> = []
        return elements.filter { seen.insert(key($0)).inserted && (seen.count - 1) % stride == offset % stride }
    }

    /// Every element where everything is asked; else every `stride`-th, from `offset` on.
    public static func of<Element>(_ elements: [Element], stride: Int, offset: Int = 0) -> [Element] {
        of(elements.enumerated().map(\.self), stride: stride, offset: offset) { $0.offset }.map(\.element)
    }

    /// Every element where everything is asked; else the first one.
    public static func first<Element>(of elements: [Element]) -> [Element] {
        isWhole ? elements : Array(elements.prefix(1))
    }

    /// Why a test that `make test` leaves to the night did not run.
    public static let whole = Comment(rawValue: "one test of its kind is enough by day; make nightly runs it")

    /// As many as were asked for where everything is asked; else a tenth of them, at least one.
    public static func count(_ whole: Int) -> Int { isWhole ? whole : max(1, whole / 10) }
}

extension Trait where Self == ConditionTrait {
    /// Run by `make test-all`, as CI does, and left out by `make test`.
    public static var wide: Self { .enabled(if: Extent.isWide, "make test-all runs it") }
}
