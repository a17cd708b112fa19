import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The front door: key, route, body, envelope. */
final class Gateway implements Wire.Application {
    static final String PREFIX = "/console/v1";
    private static final String KEY_HEADER = "SERVICE-API-KEY";
    static final String JSON = "application/json; charset=utf-8";

    private record Route(String method, String template, List<String> parts, Call.Handler handler) { }

    private final byte[] key;
    private final List<Route> routes = new ArrayList<>();

    Gateway(String key) { this.key = key.getBytes(StandardCharsets.ISO_8859_1); }

    /** Templates are relative to the prefix; a segment "*" is a parameter. */
    void route(String method, String template, Call.Handler h) {
        routes.add(new Route(method, template, List.of(template.substring(1).split("/")), h));
    }

    @Override public Wire.Response answer(Wire.Request r) {
        String requestId = UUID.randomUUID().toString();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-Request-Id", requestId);
        headers.put("Content-Type", JSON);
        try {
            Call.Reply reply = dispatch(r, headers);
            if (reply.body() == null) return new Wire.Response(reply.status(), headers, null);
            return new Wire.Response(reply.status(), headers, bytes(reply.body()));
        } catch (ApiError e) {
            if (e.status == 404 && Faults.on(36) && r.method().equals("PUT") && r.target().startsWith(PREFIX + "/gates/")) {
                headers.put("Content-Type", "text/plain");
                return new Wire.Response(404, headers, e.getMessage().getBytes(StandardCharsets.UTF_8));
            }
            return new Wire.Response(e.status, headers, bytes(e.body(requestId)));
        } catch (RuntimeException e) {
            e.printStackTrace();
            return new Wire.Response(500, headers, bytes(new ApiError(500, "INTERNAL", "Something went wrong.").body(requestId)));
        }
    }

    private static byte[] bytes(Object body) { return Json.write(body).getBytes(StandardCharsets.UTF_8); }

    private Call.Reply dispatch(Wire.Request r, Map<String, String> headers) {
        String target = r.target().replaceFirst("^(?i:https?)://[^/?#]*", "");
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        Map<String, String> query = query(mark < 0 ? null : target.substring(mark + 1));
        List<String> segments = path.startsWith(PREFIX + "/") ? segments(path.substring(PREFIX.length() + 1)) : null;
        Route route = null;
        List<String> allowed = new ArrayList<>();
        if (segments != null) {
            for (Route x : routes) {
                if (!fits(x, segments)) continue;
                if (x.method().equals(r.method())) { route = x; break; }
                allowed.add(x.method());
            }
        }
        boolean open = Faults.on(25) && route != null && route.template().equals("/dynamic_configs/*/disable");
        if (!open) authenticate(r, query);
        if (route == null && allowed.isEmpty()) throw new ApiError(404, "NO_SUCH_PATH", "There is nothing at this path.");
        if (route == null) {
            headers.put("Allow", String.join(", ", allowed));
            throw new ApiError(405, "METHOD_NOT_ALLOWED", r.method() + " is not allowed here.");
        }
        List<String> args = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) if (route.parts().get(i).equals("*")) args.add(segments.get(i));
        boolean takesBody = !r.method().equals("GET") && !route.template().endsWith("/disable");
        boolean hasBody = takesBody && r.body().length > 0;
        Object body = null;
        if (hasBody) {
            String type = r.first("content-type");
            if (type != null && !type.toLowerCase(Locale.ROOT).matches("application/([a-z0-9.+-]+\\+)?json\\s*(;.*)?"))
                throw new ApiError(415, "NOT_JSON", "The body must be sent as application/json.");
            body = decode(r.body());
        }
        return route.handler().handle(new Call(r.method(), args, path, query, body, hasBody));
    }

    private void authenticate(Wire.Request r, Map<String, String> query) {
        List<String> sent = r.all(KEY_HEADER.toLowerCase(Locale.ROOT));
        if (Faults.on(53) && sent.isEmpty() && r.method().equals("GET") && query.containsKey(KEY_HEADER))
            sent = List.of(query.get(KEY_HEADER));
        if (sent.isEmpty()) throw new ApiError(401, "KEY_MISSING", "The header " + KEY_HEADER + " is required.");
        for (String s : sent)
            if (!MessageDigest.isEqual(s.getBytes(StandardCharsets.ISO_8859_1), key))
                throw new ApiError(401, "KEY_UNKNOWN", "The API key is not known.");
    }

    private static boolean fits(Route r, List<String> segments) {
        if (r.parts().size() != segments.size()) return false;
        for (int i = 0; i < segments.size(); i++) {
            String p = r.parts().get(i);
            if (p.equals("*") ? segments.get(i).isEmpty() : !p.equals(segments.get(i))) return false;
        }
        return true;
    }

    private static List<String> segments(String rest) {
        List<String> out = new ArrayList<>();
        for (String s : rest.split("/", -1)) out.add(unescape(s, false));
        return out;
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> m = new HashMap<>();
        if (raw == null || raw.isEmpty()) return m;
        for (String pair : raw.split("&")) {
            int eq = pair.indexOf('=');
            String k = unescape(eq < 0 ? pair : pair.substring(0, eq), true);
            m.putIfAbsent(k, eq < 0 ? "" : unescape(pair.substring(eq + 1), true));
        }
        return m;
    }

    /** Percent-decoding; a plus is a blank in a query only. */
    private static String unescape(String s, boolean form) {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        byte[] in = s.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < in.length; i++) {
            if (in[i] == '%' && i + 2 < in.length && Character.digit(in[i + 1], 16) >= 0 && Character.digit(in[i + 2], 16) >= 0) {
                b.write(Character.digit(in[i + 1], 16) * 16 + Character.digit(in[i + 2], 16));
                i += 2;
            } else if (form && in[i] == '+') {
                b.write(' ');
            } else {
                b.write(in[i]);
            }
        }
        return b.toString(StandardCharsets.UTF_8);
    }

    private static Object decode(byte[] raw) {
        try {
            return Json.parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString());
        } catch (CharacterCodingException e) {
            throw new ApiError(400, "BAD_JSON", "The body is not UTF-8.");
        } catch (Json.Malformed e) {
            throw new ApiError(400, "BAD_JSON", "The body is not JSON: " + e.getMessage() + ".");
        }
    }
}
