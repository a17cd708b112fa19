import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts the reference server once for all tests, and gives each test that asks for one a sandbox of its own. CONFORM is
 * the command that starts the program; `npx console-conformance@0.1.0` when absent.
 */
public class ReferenceServer implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(ReferenceServer.class);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A world of its own: where the client finds it, and what it shall meet. */
    public record Sandbox(String url, String control, String key, String name) {
        public void behave(Object behaviour) throws Exception {
            ask("POST", control + "/behaviours?world=" + name, behaviour);
        }

        public JsonNode requests() throws Exception {
            return ask("GET", control + "/requests?world=" + name, null).get("requests");
        }
    }

    private record Running(Process process, JsonNode ready) implements CloseableResource {
        static Running start() {
            try {
                String given = System.getenv("CONFORM");
                String conform = given == null || given.isEmpty() ? "npx console-conformance@0.1.0" : given;
                Path file = Files.createTempDirectory("conform").resolve("ready.json");
                List<String> command = new ArrayList<>(Arrays.asList(conform.split(" ")));
                command.addAll(List.of("serve", "--port", "0", "--ready-file", file.toString(), "--quiet"));
                Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
                for (int tries = 0; tries < 1200 && process.isAlive(); tries++) {
                    if (Files.exists(file) && Files.readString(file).endsWith("\n"))
                        return new Running(process, JSON.readTree(file.toFile()));
                    Thread.sleep(50);
                }
                process.destroy();
                throw new IllegalStateException("the server did not start");
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        public void close() throws InterruptedException {
            process.destroy();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static JsonNode ask(String method, String url, Object body) throws Exception {
        HttpRequest.BodyPublisher sent = body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .method(method, sent)
            .build();
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IllegalStateException(method + " " + url + ": " + answer.body());
        return JSON.readTree(answer.body());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Sandbox.class;
    }

    @Override
    public Sandbox resolveParameter(ParameterContext parameter, ExtensionContext context) {
        JsonNode ready = context.getRoot().getStore(NAMESPACE)
            .getOrComputeIfAbsent("server", key -> Running.start(), Running.class).ready();
        String control = ready.get("control").asText();
        try {
            JsonNode made = ask("POST", control + "/sandboxes", Map.of());
            Sandbox sandbox =
                new Sandbox(ready.get("url").asText(), control, made.get("apiKey").asText(), made.get("name").asText());
            context.getStore(NAMESPACE).put("sandbox", sandbox);
            return sandbox;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Sandbox sandbox = context.getStore(NAMESPACE).remove("sandbox", Sandbox.class);
        if (sandbox != null) ask("DELETE", sandbox.control() + "/sandboxes/" + sandbox.name(), null);
    }
}
