/// The origins of which nobody can tell what URLs call them, because a host, port or scheme can't be read.
///
/// That has been reported; nothing else is to be said that follows from it. A reference, because it is filled where one
/// origin is read; for one thread at a time.
final class UnclearOrigins {
    private var names: Set<String> = []

    func add(_ name: String) { names.insert(name) }

    func contains(_ origin: Origin) -> Bool { names.contains(origin.name) }
}
