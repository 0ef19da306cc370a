import ProctorHTTP
import Testing

/// RFC 9110 §8.8.3.
struct EntityTagTests {
    @Test(arguments: [
        ("\"xyzzy\"", false, "xyzzy"), ("W/\"xyzzy\"", true, "xyzzy"), ("\"\"", false, ""), ("W/\"\"", true, ""),
        ("\"a\\b\"", false, "a\\b"), ("\"a,b\"", false, "a,b"), ("\"\u{80}\u{FF}!\"", false, "\u{80}\u{FF}!"),
        ("\"W/\"", false, "W/"),
    ])
    func `a tag is read and written`(_ value: String, _ isWeak: Bool, _ opaque: String) throws {
        let tag = try EntityTag(bytes(value))
        #expect(tag.isWeak == isWeak)
        #expect(tag.opaque == bytes(opaque))
        #expect(tag.bytes == bytes(value))
        #expect(EntityTag(opaque: bytes(opaque), isWeak: isWeak) == tag)
    }

    @Test(arguments: [
        "", "xyzzy", "\"", "\"a", "a\"", "w/\"a\"", "W\"a\"", "W/a", "W/", "W", "\"a b\"", "\"a\"b", "\"a\"\"", "'a'",
        "\"\u{7F}\"", "\"a\\\"b\"", "*", "\"a\" ", "\"a\", \"b\"", "/\"a\"",
    ])
    func `what is no tag is refused`(_ value: String) throws {
        let error = try #require(throws: FieldViolation.self) { try EntityTag(bytes(value)) }
        #expect(error.kind == .badEntityTag)
        #expect(error.description.contains("RFC 9110 §8.8.3"))
    }

    /// The table of §8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false),
    ])
    func `tags are compared strongly and weakly`(
        _ first: String, _ second: String, _ strongly: Bool, _ weakly: Bool
    ) throws {
        let (first, second) = (try EntityTag(bytes(first)), try EntityTag(bytes(second)))
        #expect(first.stronglyMatches(second) == strongly)
        #expect(second.stronglyMatches(first) == strongly)
        #expect(first.weaklyMatches(second) == weakly)
        #expect(second.weaklyMatches(first) == weakly)
    }

    @Test(arguments: [
        (["\"a\""], ["\"a\""], []), (["\"a\", W/\"b\",\"c,d\""], ["\"a\"", "W/\"b\"", "\"c,d\""], []),
        (["\"a\"", ",, \"b\" ,"], ["\"a\"", "\"b\""], []), (["a, \"b\""], ["\"b\""], [0]),
        (["\"a\" \"b\", \"c\""], ["\"c\""], [0]), (["\"a\", *"], ["\"a\""], [5]), (["\"a"], [], [0]), ([""], [], []),
        (["\"a\",w/\"b\",\"c\""], ["\"a\"", "\"c\""], [4]), (["*", "\"a\""], ["\"a\""], [0]),
    ])
    func `a list keeps what is a tag`(_ values: [String], _ tags: [String], _ offsets: [Int]) {
        let list = EntityTagList(values.map(bytes))
        #expect(!list.isAny)
        #expect(list.tags.map(\.bytes) == tags.map(bytes))
        #expect(list.violations.map(\.offset) == offsets)
        #expect(list.violations.allSatisfy { $0.kind == .badEntityTag })
    }

    @Test func `an asterisk alone is any state, one without a tag too`() {
        let list = EntityTagList([bytes("*")])
        #expect(list.isAny && list.tags.isEmpty && list.violations.isEmpty)
        #expect(list.stronglyMatches(nil) && list.weaklyMatches(nil))
        #expect(!EntityTagList([bytes("\"a\"")]).weaklyMatches(nil))
        #expect(EntityTagList(of: [], named: "If-Match") == nil)
    }

    @Test func `256 tags are read, and one more is refused with the bound`() {
        let full = Array(repeating: "\"a\"", count: 256).joined(separator: ",")
        #expect(EntityTagList([bytes(full)]).tags.count == 256)
        let over = EntityTagList([bytes(full + ",\"b\"")])
        #expect(over.tags.count == 256)
        #expect(over.violations.map(\.kind) == [.tooManyEntityTags])
        #expect(over.violations.first?.sentence.contains("256") == true)
    }
}
