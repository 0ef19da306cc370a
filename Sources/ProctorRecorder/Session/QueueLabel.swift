internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A name for the queue that runs now.
enum QueueLabel {
    private static let key = DispatchSpecificKey<String>()

    /// A serial queue for a delegate, which can be recognised by its name.
    static func serialQueue(_ label: String) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)")
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// A queue that runs several callbacks at a time, which forfeits their order (R46).
    static func concurrentQueue(_ label: String) -> OperationQueue {
        let queue = OperationQueue()
        let base = DispatchQueue(label: "proctor.\(label)", attributes: .concurrent)
        base.setSpecific(key: key, value: label)
        unsafe queue.underlyingQueue = base
        queue.maxConcurrentOperationCount = 4
        return queue
    }

    /// nil off any queue that belongs to the session.
    static func current(for session: URLSession) -> String? {
        if let label = DispatchQueue.getSpecific(key: key) { return label }
        guard let queue = OperationQueue.current, queue === session.delegateQueue else { return nil }
        return queue === OperationQueue.main ? "main" : "D"
    }
}
