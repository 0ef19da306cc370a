package client;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.CookieManager;
import java.net.http.*;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import proctor.Proctor;
import proctor.Stubs;

/** The five tests that most suites begin with. */
@ExtendWith(Proctor.class)
class FiveTest {
    private static final HttpResponse.BodyHandler<String> TEXT = HttpResponse.BodyHandlers.ofString();

    private final HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private static HttpRequest.Builder to(Stubs stubs, String path) { return HttpRequest.newBuilder(stubs.url(path)); }

    @Test
    void waitsAsLongAsA429AsksFor(Stubs stubs) throws Exception {
        var items = stubs.on("GET /items").reply(429, Map.of("headers", Map.of("Retry-After", "1"))).reply(200, "ok").times(2);
        while (client.send(to(stubs, "/items").build(), TEXT).statusCode() == 429) Thread.sleep(1000);
        var waited = items.requests().get(1).time().minus(items.requests().get(0).time());
        assertTrue(waited.toMillis() >= 1000, () -> "the client waited " + waited);
        assertEquals("read", items.requests().get(0).end());
    }

    @Test
    void asksAgainAfterA503(Stubs stubs) throws Exception {
        stubs.on("GET /job").reply(503).reply(200, "done").times(2);
        while (client.send(to(stubs, "/job").build(), TEXT).statusCode() == 503) { }
    }

    @Test
    void aSlowBodyEndsInATimeout(Stubs stubs) throws Exception {
        stubs.on("GET /slow").reply(200, Map.of("body", List.of("a", Map.of("do", "wait 10s"), "b")));
        var reply = client.sendAsync(to(stubs, "/slow").build(), TEXT);
        assertThrows(java.util.concurrent.TimeoutException.class, () -> reply.get(1, java.util.concurrent.TimeUnit.SECONDS));
    }

    @Test
    void postsJSON(Stubs stubs) throws Exception {
        var items = stubs.on("POST /items").having("json", Map.of("name", "a")).reply(201, Map.of("json", Map.of("id", 7)));
        var request = to(stubs, "/items").header("Content-Type", "application/json").POST(ofString("{\"name\":\"a\"}"));
        assertEquals("{\"id\":7}", client.send(request.build(), TEXT).body());
        assertEquals("application/json", items.requests().get(0).header("Content-Type").orElseThrow());
    }

    @Test
    void sendsTheCookieOfTheLogin(Stubs stubs) throws Exception {
        stubs.on("POST /login").reply(200, Map.of("headers", Map.of("Set-Cookie", "session=1")));
        stubs.on("GET /account").having("cookies", Map.of("session", "1")).reply(200, "Ann");
        client.send(to(stubs, "/login").POST(noBody()).build(), TEXT);
        assertEquals("Ann", client.send(to(stubs, "/account").build(), TEXT).body());
        stubs.verify();
    }
}
