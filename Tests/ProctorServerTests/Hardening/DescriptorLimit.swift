import Foundation
import ProctorBase
import ProctorTestSupport

/// How many descriptors a process may have.
enum DescriptorLimit {
    #if canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #else
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// Asks for so many, for this process and the children it starts from now on; false when they are not to be had.
    static func raise(to count: Int) -> Bool {
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        guard limit.rlim_cur < rlim_t(count) else { return true }
        limit.rlim_cur = rlim_t(count)
        return unsafe setrlimit(resource, &limit) == 0
    }

    /// Waits, bounded, until so many can be opened here: other tests of this process hold some too.
    static func waitForRoom(for count: Int) async throws {
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        let most = Int(clamping: limit.rlim_cur)
        let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
        while most - OpenDescriptors.count(of: getpid()) < count, MonotonicClock.nanoseconds < end {
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
