import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One request as handlers see it. */
record Call(String method, List<String> args, String routePath, Map<String, String> query, Object json, boolean hasBody) {

    String arg() { return args.get(0); }

    Map<String, Object> body() {
        if (!hasBody) throw new ApiError(400, "BODY_MISSING", "A JSON object is expected in the body.");
        if (!(json instanceof Map)) throw new ApiError(400, "BODY_NOT_OBJECT", "A JSON object is expected in the body.");
        return Json.asMap(json);
    }

    Map<String, Object> bodyOrEmpty() { return hasBody ? body() : new LinkedHashMap<>(); }

    interface Handler { Reply handle(Call c); }

    record Reply(int status, Object body) {
        static Reply ok(String message, Object data) { return new Reply(200, Json.obj("message", message, "data", data)); }

        static Reply created(String message, Object data) { return new Reply(201, Json.obj("message", message, "data", data)); }
    }
}
