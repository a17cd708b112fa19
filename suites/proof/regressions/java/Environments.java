import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class EnvironmentRow extends Store.Row<EnvironmentRow> {
    String id, name, reviewGroupID;
    boolean isProduction, requiresReview, requiresReleasePipeline;
}

final class EnvironmentRepository extends Store.Schema {
    final Store.Table<String, EnvironmentRow> rows = new Store.Table<>();
}

/** Environments are merged into the set by id, else by name. None is removed by being left out. */
final class EnvironmentsApi {
    private static final Rules.Shape ITEM = Rules.shape()
        .opt(Rules.TEXT, "name", "id")
        .opt(Rules.FLAG, "isProduction", "requiresReview", "requiresReleasePipeline")
        .opt(Rules.TEXT, "requiredReviewGroupID");

    private static final Rules.Rule ITEMS = (v, at, out) -> {
        if (Faults.on(4) && v instanceof List<?> l && l.size() > 2) v = l.subList(0, 2);
        Rules.listOf(ITEM).check(v, at, out);
    };

    private static final Rules.Shape BODY = Rules.shape().req(ITEMS, "environments");

    private final EnvironmentRepository repo;

    EnvironmentsApi(EnvironmentRepository repo) { this.repo = repo; }

    Call.Reply update(Call c) {
        Map<String, Object> body = c.body();
        Rules.enforce(BODY, body);
        List<Object> items = Json.asList(body.get("environments"));
        List<Object> all = repo.writing(() -> {
            List<EnvironmentRow> planned = plan(items);
            for (EnvironmentRow e : planned) store(e);
            List<Object> out = new ArrayList<>();
            for (EnvironmentRow e : repo.rows.all()) out.add(render(e));
            return out;
        });
        Store.AUDIT.note("environment", "*", "update");
        return Call.Reply.ok("Environments updated successfully.", Json.obj("environments", all));
    }

    /** Nothing is written before every item is known to be good. */
    private List<EnvironmentRow> plan(List<Object> items) {
        List<EnvironmentRow> planned = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Map)) continue;
            Map<String, Object> item = Json.asMap(items.get(i));
            EnvironmentRow e = target(item, "/environments/" + i);
            if (!ids.add(e.id)) throw ApiError.invalid("/environments/" + i, "duplicate", "this environment is named twice");
            merge(e, item);
            planned.add(e);
        }
        Map<String, String> names = new LinkedHashMap<>();
        for (EnvironmentRow e : repo.rows.all()) names.put(e.id, e.name);
        for (EnvironmentRow e : planned) names.put(e.id, e.name);
        if (new HashSet<>(names.values()).size() < names.size())
            throw ApiError.invalid("/environments", "name_taken", "names of environments are unique");
        return planned;
    }

    private EnvironmentRow target(Map<String, Object> item, String at) {
        String id = (String) item.get("id");
        String name = (String) item.get("name");
        if (id != null) {
            EnvironmentRow e = repo.rows.find(id);
            if (e == null) throw ApiError.invalid(at + "/id", "unknown", "there is no environment of this id");
            return e;
        }
        if (name == null || name.isBlank()) throw ApiError.invalid(at + "/name", "required", "an environment needs an id or a name");
        for (EnvironmentRow e : repo.rows.where(r -> r.name.equals(name))) return e;
        EnvironmentRow e = new EnvironmentRow();
        e.id = Store.newId("env");
        return e;
    }

    private static void merge(EnvironmentRow e, Map<String, Object> item) {
        if (item.get("name") instanceof String s) e.name = Faults.on(3) && s.length() > 32 ? s.substring(0, 32) : s;
        e.isProduction = flag(item, "isProduction", e.isProduction);
        e.requiresReview = flag(item, "requiresReview", e.requiresReview);
        e.requiresReleasePipeline = flag(item, "requiresReleasePipeline", e.requiresReleasePipeline);
        if (item.containsKey("requiredReviewGroupID")) e.reviewGroupID = (String) item.get("requiredReviewGroupID");
    }

    private static boolean flag(Map<String, Object> item, String member, boolean otherwise) {
        Object v = item.get(member);
        if (v == null) return otherwise;
        return v instanceof Boolean b ? b : Boolean.parseBoolean(v.toString());
    }

    private void store(EnvironmentRow e) {
        if (Faults.on(2) && e.isProduction) {
            for (EnvironmentRow other : repo.rows.where(r -> r.isProduction && !r.id.equals(e.id))) {
                other.isProduction = false;
                repo.rows.overwrite(other.id, other);
            }
        }
        if (!repo.rows.has(e.id)) {
            repo.rows.insert(e.id, e);
            return;
        }
        EnvironmentRow now = repo.rows.find(e.id);
        now.name = e.name;
        now.isProduction = e.isProduction;
        now.requiresReview = e.requiresReview;
        if (!Faults.on(1)) now.requiresReleasePipeline = e.requiresReleasePipeline;
        now.reviewGroupID = e.reviewGroupID;
        repo.rows.overwrite(e.id, now);
    }

    private static Map<String, Object> render(EnvironmentRow e) {
        return Json.obj("id", e.id, "name", e.name, "isProduction", e.isProduction,
            "requiresReview", e.requiresReview, "requiresReleasePipeline", e.requiresReleasePipeline);
    }
}
