internal import CUV
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The detached thread of a loop; it owns one reference to the loop until it ends.
final class LoopThread {
    private let loop: EventLoop
    private let name: String

    private init(loop: EventLoop, name: String) {
        (self.loop, self.name) = (loop, name)
    }

    static func start(_ loop: EventLoop, name: String) throws(CallFailure) {
        let start = unsafe Unmanaged.passRetained(LoopThread(loop: loop, name: name)).toOpaque()
        #if canImport(Darwin)
            var handle: pthread_t?
        #else
            var handle = pthread_t()
        #endif
        let code = unsafe pthread_create(&handle, nil, loopThreadBegan, start)
        guard code == 0 else {
            unsafe Unmanaged<LoopThread>.fromOpaque(start).release()
            throw .system("pthread_create", code: code)
        }
        #if canImport(Darwin)
            if let handle = unsafe handle { unsafe _ = pthread_detach(handle) }
        #else
            pthread_detach(handle)
        #endif
    }

    fileprivate func run() {
        blockBrokenPipeSignal()
        nameCurrentThread(name)
        loop.runToTheEnd()
    }
}

#if canImport(Darwin)
    private func loopThreadBegan(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<LoopThread>.fromOpaque(start).takeRetainedValue().run()
        return nil
    }
#else
    private func loopThreadBegan(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let start = unsafe start else { return nil }
        unsafe Unmanaged<LoopThread>.fromOpaque(start).takeRetainedValue().run()
        return nil
    }
#endif

/// The calling pthread as a number that can be compared.
package func currentThread() -> UInt {
    #if canImport(Darwin)
        unsafe UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}

/// Proctor runs inside other programs, so a write to a closed peer must never raise SIGPIPE.
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}

func nameCurrentThread(_ name: String) {
    #if canImport(Darwin)
        unsafe _ = pthread_setname_np(name)
    #else
        // Linux accepts at most 15 bytes and NUL.
        unsafe _ = pthread_setname_np(pthread_self(), String(name.prefix(15)))
    #endif
}
