import Foundation
import ProctorTestSupport

/// The JSON Schema of fixtures, asked through Debian's python3-jsonschema and python3-yaml.
enum SchemaJudge {
    /// The repository, from where this file stands.
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static let schemaPath = "\(repository)/fixtures/scenario.schema.json"

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Asks about all files of a folder at once: what is wrong by path, an empty text when nothing is.
    static func judge(_ paths: [String]) async throws -> [String: String] {
        var answers: [String: String] = [:]
        for start in stride(from: 0, to: paths.count, by: partCount) {
            answers.merge(try await judgePart(Array(paths[start..<min(start + partCount, paths.count)]))) { $1 }
        }
        return answers
    }

    /// So many files of one process, whose time is bounded: the library grows.
    private static let partCount = 200

    private static func judgePart(_ paths: [String]) async throws -> [String: String] {
        let outcome = try await ChildProcess.run(
            ["/usr/bin/python3", "-W", "ignore", "-c", script, schemaPath],
            input: Array(paths.joined(separator: "\n").utf8))
        guard outcome.status == 0 else {
            throw Failure(
                description: "/usr/bin/python3 ended with \(outcome.status); are python3-yaml and python3-jsonschema "
                    + "installed? (make test-deps)\n\(outcome.err)")
        }
        return try JSONDecoder().decode([String: String].self, from: Data(outcome.output))
    }

    /// Reads YAML as fixtures are read: plain decimal numbers, true, false and null by the schema's words, all else text.
    private static let script = #"""
        import json, re, sys
        import jsonschema, yaml

        class Loader(yaml.SafeLoader):
            pass

        Loader.yaml_implicit_resolvers = {}
        for tag, pattern, first in [
            ("null", r"^(~|null|)$", ["~", "n", ""]),
            ("bool", r"^(true|false)$", ["t", "f"]),
            ("int", r"^-?[0-9]+$", list("-0123456789")),
            ("float", r"^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$", list("-0123456789")),
        ]:
            Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), first)
        Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
        Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))

        def mapping(loader, node):
            result = {}
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.value in result:
                    raise yaml.YAMLError("a key that is no text, or stands twice")
                if key.value == "<<" and key.style is None:
                    raise yaml.YAMLError("a merge key")
                result[key.value] = loader.construct_object(value, deep=True)
            return result

        Loader.add_constructor("tag:yaml.org,2002:map", mapping)

        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        answers = {}
        for path in sys.stdin.read().split("\n"):
            try:
                document = yaml.load(open(path, encoding="utf-8"), Loader)
                error = jsonschema.exceptions.best_match(validator.iter_errors(document))
                answers[path] = "" if error is None else error.message[:200]
            except yaml.YAMLError as error:
                answers[path] = str(error)[:200]
        json.dump(answers, sys.stdout)
        """#
}
