/// What late-bound text stands for while one reply is made.
public struct TemplateContext: Sendable {
    /// `http://127.0.0.1:40000` or with a mount's path, without a slash at its end.
    public var base: [UInt8]
    /// Host and port by origin index: `127.0.0.1:40000`.
    public var authorities: [[UInt8]]
    /// The origin that `{{origin}}` and `{{authority}}` mean.
    public var originIndex: Int
    /// Seconds since 1970 at which the reply is made.
    public var unixSeconds: Int
    /// What the request's pattern took.
    public var captures: Captures

    /// `authorities` has one entry for each origin of the scenario.
    public init(
        base: [UInt8], authorities: [[UInt8]], originIndex: Int = 0, unixSeconds: Int = 0,
        captures: Captures = Captures()
    ) {
        self.base = base
        self.authorities = authorities
        self.originIndex = originIndex
        self.unixSeconds = unixSeconds
        self.captures = captures
    }
}
