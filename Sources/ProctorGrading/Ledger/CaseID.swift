/// The name of a case everywhere: `redirect/302-post-becomes-get#follow`.
public struct CaseID: Sendable, Hashable, CustomStringConvertible {
    /// The path of the fixture without extension.
    public let scenario: String
    /// As the fixture names it.
    public let name: String

    /// Both parts as they are.
    public init(scenario: String, name: String) {
        self.scenario = scenario
        self.name = name
    }

    /// The two parts with `#` between them.
    public var description: String { "\(scenario)#\(name)" }
}
