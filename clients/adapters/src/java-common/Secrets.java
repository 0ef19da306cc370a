import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** What an assignment says of TLS, as Java wants it. */
final class Secrets {
    private Secrets() {}

    /** A context with the authorities of a PEM file, and with the identity of a PKCS #12 file. */
    static SSLContext context(Part session) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(session.has("identity") ? identity(session.part("identity")) : null,
            session.has("trust") ? trust(session.text("trust")) : null, null);
        return context;
    }

    static TrustManager[] trust(String path) throws Exception {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (var file = new FileInputStream(path)) {
            for (var one : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("authority-" + store.size(), one);
            }
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] identity(Part identity) throws Exception {
        var passphrase = identity.has("passphrase") ? identity.text("passphrase").toCharArray() : new char[0];
        var store = KeyStore.getInstance("PKCS12");
        try (var file = new FileInputStream(identity.text("pkcs12"))) {
            store.load(file, passphrase);
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, passphrase);
        return factory.getKeyManagers();
    }
}
