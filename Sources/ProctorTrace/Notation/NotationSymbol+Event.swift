extension NotationSymbol {
    /// The symbol that stands for exactly this event, or for the event of that name where it has no argument.
    public init(_ event: TraceEventSymbol) {
        self.init(name: event.name, arguments: event.argument.map { [.exact($0)] } ?? [])
    }
}
