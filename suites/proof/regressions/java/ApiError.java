import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a handler throws to refuse a request. */
final class ApiError extends RuntimeException {
    final int status;
    final String code;
    final List<Rules.Problem> problems;

    ApiError(int status, String code, String message, List<Rules.Problem> problems) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.problems = problems;
    }

    ApiError(int status, String code, String message) { this(status, code, message, List.of()); }

    static ApiError invalid(List<Rules.Problem> problems) {
        return new ApiError(422, "VALIDATION_FAILED", "The request body has " + problems.size() + " problem(s).", problems);
    }

    static ApiError invalid(String field, String code, String detail) {
        return invalid(List.of(new Rules.Problem(field, code, detail)));
    }

    static ApiError missing(String kind, String id) {
        return new ApiError(404, "NOT_FOUND", "No " + kind + " '" + id + "' in this project.");
    }

    Map<String, Object> body(String requestId) {
        List<Object> details = new ArrayList<>();
        for (Rules.Problem p : problems) details.add(Json.obj("path", p.field(), "rule", p.code(), "detail", p.detail()));
        return Json.obj("error", Json.obj("code", code, "status", status, "message", getMessage(),
            "details", details, "requestId", requestId));
    }
}
