/// Receives what a ``Socket`` sends and how it ends; on the loop's thread only.
package protocol SocketTap: AnyObject {
    /// The system, or the layer, has accepted these bytes of plaintext.
    func didSend(_ bytes: ArraySlice<UInt8>)
    /// FIN was sent, or will follow the last byte of the layer's queue.
    func didHalfClose(sendingCloseNotify: Bool)
    func didClose(byReset: Bool)
}
