package import ProctorScenario

/// What a scenario describes its messages of gRPC by; one for all readers of a file, used by one thread.
package final class CallDescription {
    /// Whether the file has the key.
    package internal(set) var isWritten = false
    /// As the module that reads it has made it; nil where it could not be read.
    package internal(set) var value: (any Sendable)?
}

extension ScenarioReader {
    private static let callModule = "the part for gRPC"

    /// `grpc:` at the top of a file.
    package static let described = LanguageSlot<any Sendable>(callModule)
    /// Messages that a request must have.
    package static let callMessages = LanguageSlot<any ContentCondition>(callModule)
    /// A reply.
    package static let call = LanguageSlot<FixtureScript>(callModule)
}
