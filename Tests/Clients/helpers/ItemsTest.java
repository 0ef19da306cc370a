import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import proctor.Proctor;
import proctor.Stubs;

@ExtendWith(Proctor.class)
class ItemsTest {
    @Test
    void threadsShareTheStubs(Stubs stubs) throws Exception {
        stubs.on("GET /items").reply(200, Map.of("json", List.of())).times(5);
        var pool = Executors.newFixedThreadPool(5);
        try {
            var tasks = Collections.<Callable<String>>nCopies(5, () -> {
                var url = stubs.url("/items");
                stubs.client().build().send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
                return url.toString();
            });
            var urls = new HashSet<String>();
            for (var url : pool.invokeAll(tasks)) urls.add(url.get());
            assertEquals(1, urls.size());
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whatJsonHasNoFormFor(Stubs stubs) throws Exception {
        var items = stubs.on("GET /items");
        var holder = new HashMap<String, Object>(Map.of("a", new Object()));
        var error = assertThrows(IllegalArgumentException.class, () -> items.reply(200, Map.of("json", holder)));
        assertTrue(error.getMessage().startsWith("json /a is java.lang.Object@"), error.getMessage());
        var list = new ArrayList<Object>();
        list.add(Double.NaN);
        error = assertThrows(IllegalArgumentException.class, () -> items.reply(200, Map.of("json", list)));
        assertTrue(error.getMessage().startsWith("json /0 is NaN of java.lang.Double, for which JSON has no form"), error.getMessage());
        // Stubs that no client is led to fail their test.
        stubs.client().build().send(HttpRequest.newBuilder(stubs.url("/items")).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void contentThatCameCoded(Stubs stubs) throws Exception {
        var items = stubs.on("POST /items").having("json", Map.of("name", "desk")).reply(201);
        var coded = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(coded)) { packed.write("{\"name\":\"desk\"}".getBytes(StandardCharsets.UTF_8)); }
        var request = HttpRequest.newBuilder(stubs.url("/items")).header("Content-Encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(coded.toByteArray())).build();
        stubs.client().build().send(request, HttpResponse.BodyHandlers.ofString());
        var came = items.requests().get(0);
        assertEquals("{\"name\":\"desk\"}", came.text());
        assertArrayEquals(coded.toByteArray(), came.codedBody());
    }

    @Test
    void howARequestEnded(Stubs stubs) throws Exception {
        for (var end : List.of("read", "left", "reset")) {
            var effect = end.equals("read") ? Map.of("at", "body 4", "do", "wait 1ms") : Map.of("at", "body 2", "do", "stall");
            stubs.on("GET /" + end).reply(200, Map.of("body", "long", "effects", List.of(effect)));
        }
        for (var end : List.of("read", "left", "reset")) {
            var url = stubs.url("/" + end);
            try (var client = new Socket(url.getHost(), url.getPort())) {
                var head = "GET " + url.getPath() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n\r\n";
                client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                var heard = new StringBuilder();
                while (!heard.toString().endsWith(end.equals("read") ? "long" : "lo")) {
                    var next = client.getInputStream().read();
                    assertTrue(next >= 0, heard.toString());
                    heard.append((char) next);
                }
                if (end.equals("reset")) client.setSoLinger(true, 0);
            }
            String came = null;
            while (came == null) {
                came = stubs.requests().stream().filter(it -> it.target().equals("/" + end)).findFirst().orElseThrow().end();
            }
            assertEquals(end, came);
        }
    }
}
