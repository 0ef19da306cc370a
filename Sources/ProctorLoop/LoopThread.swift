internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The detached thread under a loop; it owns one reference to the loop until it ends.
final class LoopThread {
    private let loop: EventLoop
    private let name: String

    private init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
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
