import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client tested with JUnit against the reference server: a sandbox for each test, a failure that is scripted. */
@ExtendWith(ReferenceServer.class)
class RetriesTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The client under test: it tries again what the server could not do, and counts its tries. */
    private static int rename(ReferenceServer.Sandbox sandbox, String gate, String name) throws Exception {
        for (int tries = 1; tries < 5; tries++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(sandbox.url() + "/console/v1/gates/" + gate))
                .header("SERVICE-API-KEY", sandbox.key())
                .header("Content-Type", "application/json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(Map.of("name", name))))
                .build();
            if (HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200) return tries;
        }
        throw new IllegalStateException("the client gave up");
    }

    static Stream<List<Integer>> failures() {
        return Stream.of(List.of(), List.of(500), List.of(500, 503, 429));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void triesAgain(List<Integer> failures, ReferenceServer.Sandbox sandbox) throws Exception {
        List<Object> then = new ArrayList<>();
        for (int status : failures) then.add(Map.of("status", status));
        then.add("real");
        sandbox.behave(Map.of("match", Map.of("operation", "patch-gate"), "then", then));
        assertEquals(failures.size() + 1, rename(sandbox, "dark_mode", "Dark mode"));
        List<Integer> seen = new ArrayList<>();
        for (JsonNode request : sandbox.requests()) seen.add(request.get("status").asInt());
        List<Integer> expected = new ArrayList<>(failures);
        expected.add(200);
        assertEquals(expected, seen);
    }
}
