import Foundation
import Testing

/// What an editor shows of a key of a fixture: its description in the JSON Schema.
struct SchemaDescriptionTests {
    /// The keys that an object of the schema declares: one that permits no others has a list of its own, and all others
    /// only say more of keys that stand elsewhere.
    private static func undescribed(in node: Any, at place: String) -> (count: Int, places: [String]) {
        var (count, places) = (0, [String]())
        if let object = node as? [String: Any] {
            let isClosed = object["additionalProperties"] as? Bool == false
            if isClosed, let properties = object["properties"] as? [String: Any] {
                count += properties.count
                for (key, value) in properties {
                    let text = (value as? [String: Any])?["description"] as? String ?? ""
                    if text.isEmpty { places.append("\(place)/\(key)") }
                }
            }
            for (key, value) in object {
                let inner = undescribed(in: value, at: "\(place)/\(key)")
                count += inner.count
                places += inner.places
            }
        } else if let list = node as? [Any] {
            for (index, value) in list.enumerated() {
                let inner = undescribed(in: value, at: "\(place)/\(index)")
                count += inner.count
                places += inner.places
            }
        }
        return (count, places)
    }

    @Test func `every key has a description, which an editor shows`() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: SchemaJudge.schemaPath))
        let found = Self.undescribed(in: try JSONSerialization.jsonObject(with: data), at: "")
        #expect(found.count > 400)
        #expect(found.places.isEmpty, "\(found.places.sorted().joined(separator: "\n"))")
    }

    @Test func `a key without a description is found wherever it stands`() {
        let schema: [String: Any] = [
            "definitions": [
                "a": [
                    ["additionalProperties": false, "properties": ["b": ["description": "B."], "c": [:]]]
                        as [String: Any]
                ]
            ], "not": ["properties": ["d": [:]]],
        ]
        let found = Self.undescribed(in: schema, at: "")
        #expect(found.count == 2 && found.places == ["/definitions/a/0/c"])
    }
}
