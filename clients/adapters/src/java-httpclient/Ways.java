import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;

/** The proxy of the assignment for all hosts, or that of the names for names. */
final class Ways extends ProxySelector {
    private final Part session;

    Ways(Part session) { this.session = session; }

    /** Whether a host is one that no proxy of names is asked for. */
    static boolean isNumber(String host) {
        return host == null || host.startsWith("[") || host.matches("(?i)[0-9.]+|localhost\\.?");
    }

    public List<Proxy> select(URI uri) {
        var way = session.text("proxy");
        if (way == null && !isNumber(uri.getHost())) way = session.text("namesProxy");
        if (way == null) return List.of(Proxy.NO_PROXY);
        int colon = way.lastIndexOf(':');
        var address = new InetSocketAddress(way.substring(0, colon), Integer.parseInt(way.substring(colon + 1)));
        return List.of(new Proxy(Proxy.Type.HTTP, address));
    }

    public void connectFailed(URI uri, SocketAddress address, IOException error) {}
}
