#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The sanitizers, under which a process needs several times its memory.
public enum Sanitizer {
    /// Whether this process runs under one, and with it the programs that were built beside it.
    public static let isOn: Bool = {
        let program = unsafe dlopen(nil, RTLD_NOW)
        return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }()
}
