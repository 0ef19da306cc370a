#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A thread of the system, for blocking work; its owner joins or detaches it.
@safe package struct WorkerThread {
    private let thread: pthread_t

    /// nil when the system gives no thread; then `run` was not called.
    package init?(_ run: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Work(run))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = unsafe pthread_create(
                &thread, nil,
                { context in
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            guard code == 0, let thread = unsafe thread else {
                unsafe context.release()
                return nil
            }
            unsafe self.thread = thread
        #else
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
            guard code == 0 else {
                unsafe context.release()
                return nil
            }
            self.thread = thread
        #endif
    }

    /// Waits for the end of the thread; call it once, and not after ``detach()``.
    package func join() {
        #if canImport(Darwin)
            unsafe pthread_join(thread, nil)
        #else
            pthread_join(thread, nil)
        #endif
    }

    /// Lets the thread end without being joined; call it once.
    package func detach() {
        #if canImport(Darwin)
            unsafe pthread_detach(thread)
        #else
            pthread_detach(thread)
        #endif
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
