import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

final class GateRow extends Store.Row<GateRow> {
    String id, name, idType, status, type, typeReason = "NONE";
    String description = "";
    boolean isEnabled, measureMetricLifts, store0100Exposures;
    List<Object> rules = new ArrayList<>(), monitoringMetrics = new ArrayList<>();
    List<String> targetApps = new ArrayList<>(), holdoutIDs = new ArrayList<>();
    int checksPerHour, version = 1;
    long createdTime, lastModifiedTime;
    String creatorID, creatorName, creatorEmail;
    Actor lastModifier;
    String team, teamID, releasePipelineID;
    boolean requiredReview;
    List<Object> allowedReviewers = new ArrayList<>();
    Map<String, Object> rolloutStrategy;
    Actor owner;
    /** Filled from the join table by the repository. */
    List<String> tags = new ArrayList<>();
}

final class GateRepository extends Store.Schema {
    private final Store.Table<String, GateRow> gates = new Store.Table<>();
    private final Store.Join<String> gateTags = new Store.Join<>();
    private final Map<String, GateRow> views = new ConcurrentHashMap<>();

    void insert(GateRow g) {
        writing(() -> {
            gates.insert(g.id, g);
            gateTags.replace(g.id, g.tags);
            return null;
        });
    }

    GateRow load(String id) {
        return reading(() -> {
            GateRow g = gates.find(id);
            if (g == null) throw ApiError.missing("gate", id);
            g.tags = gateTags.of(id);
            return g;
        });
    }

    /** Saves the row as it was loaded and changed, unless another was faster. */
    void save(GateRow g) {
        writing(() -> {
            if (Faults.on(34)) gates.overwrite(g.id, g); else gates.update(g.id, g);
            gateTags.replace(g.id, g.tags);
            views.remove(Faults.on(28) ? g.name : g.id);
            return null;
        });
    }

    /** UPDATE gates SET is_enabled = … */
    GateRow switchTo(String key, boolean enabled) {
        return writing(() -> {
            String id = Faults.on(37) ? idByNameOrId(key) : key;
            GateRow g = gates.find(id);
            if (g == null) throw ApiError.missing("gate", id);
            g.isEnabled = enabled;
            g.version++;
            g.lastModifier = Actor.KEY;
            g.lastModifiedTime = Actor.now();
            if (!(Faults.on(35) && g.type.equals("PERMANENT"))) gates.update(id, g);
            GateRow seen = views.get(id);
            if (seen != null && Faults.on(28)) {
                seen.isEnabled = enabled;
                seen.version = g.version;
                seen.lastModifiedTime = g.lastModifiedTime;
            } else {
                g.tags = gateTags.of(id);
                views.put(id, g);
            }
            return views.get(id);
        });
    }

    private String idByNameOrId(String key) {
        for (GateRow g : gates.all()) if (g.name.equals(key)) return g.id;
        return key;
    }
}

final class GatesApi {
    static final Pattern NAME = Pattern.compile("^[a-zA-Z0-9_\\-. ]*$");
    private static final String UPDATED = "Gate updated successfully.";

    private static final Rules.Rule DESCRIPTION = Rules.text(0, 1000, null);

    private static final Rules.Rule GATE_NAME = (v, at, out) -> {
        if (Faults.on(30) && v instanceof String s && s.length() >= 3 && s.length() <= 100 && NAME.matcher(s).find()) return;
        Rules.text(3, 100, NAME).check(v, at, out);
    };

    private static final Rules.Rule APPS = (v, at, out) -> {
        if (!(v instanceof String)) Rules.TEXTS.check(v, at, out);
    };

    private static final Rules.Rule REVIEW = (v, at, out) -> {
        Rules.Shape s = Rules.shape().opt(Rules.FLAG, "requiredReview");
        if (!Faults.on(32)) s.opt(Rules.listOf(Rules.ANY), "allowedReviewers");
        s.check(v, at, out);
    };

    private static final Rules.Shape PATCH = Rules.shape()
        .opt(GATE_NAME, "name")
        .opt((v, at, out) -> {
            if (Faults.on(29) && v instanceof String s && s.getBytes(StandardCharsets.UTF_8).length > 1000)
                out.add(new Rules.Problem(at, "too_long", "at most 1000 characters"));
            DESCRIPTION.check(v, at, out);
        }, "description")
        .opt(Rules.FLAG, "isEnabled", "measureMetricLifts")
        .opt(Rules.listOf(Rules.ANY), "rules")
        .opt(Rules.TEXTS, "tags")
        .opt(Rules.oneOf("PERMANENT", "TEMPORARY"), "type")
        .opt(Rules.TEXT, "idType")
        .opt(APPS, "targetApps")
        .opt(Rules.orNull(Rules.TEXT), "creatorID", "creatorEmail", "team", "teamID", "releasePipelineID")
        .opt(Rules.listOf(Rules.OBJECT), "monitoringMetrics")
        .opt(REVIEW, "reviewSettings")
        .opt(Rules.OBJECT, "gradual_rollout_strategy");

    private final GateRepository repo;

    GatesApi(GateRepository repo) { this.repo = repo; }

    Call.Reply patch(Call c) {
        Map<String, Object> body = c.body();
        Rules.enforce(PATCH, body);
        return repo.optimistic(() -> {
            GateRow g = repo.load(c.arg());
            if (!merge(g, body)) return Call.Reply.ok(UPDATED, render(g));
            if (Faults.on(34)) Store.pause(4);
            g.version++;
            g.lastModifier = Actor.KEY;
            g.lastModifiedTime = Actor.now();
            repo.save(g);
            Store.AUDIT.note("gate", g.id, "patch");
            return Call.Reply.ok(UPDATED, render(g));
        });
    }

    Call.Reply disable(Call c) {
        GateRow g = repo.switchTo(c.arg(), false);
        Store.AUDIT.note("gate", g.id, "disable");
        return Call.Reply.ok(UPDATED, render(g));
    }

    /** False where the body names nothing that a patch may change. */
    private static boolean merge(GateRow g, Map<String, Object> b) {
        int known = b.size();
        for (Map.Entry<String, Object> e : b.entrySet()) {
            Object v = e.getValue();
            switch (e.getKey()) {
                case "name" -> g.name = (String) v;
                case "isEnabled" -> g.isEnabled = (Boolean) v;
                case "description" -> g.description = (String) v;
                case "rules" -> g.rules = Json.asList(v);
                case "tags" -> g.tags = Json.strings(v);
                case "type" -> g.type = (String) v;
                case "idType" -> {
                    if (Faults.on(33) && !g.idType.equals(v) && !b.containsKey("rules")) g.rules = new ArrayList<>();
                    g.idType = (String) v;
                }
                case "targetApps" -> g.targetApps = apps(v);
                case "creatorID" -> g.creatorID = (String) v;
                case "creatorEmail" -> g.creatorEmail = (String) v;
                case "team" -> { if (v != null || !Faults.on(31)) g.team = (String) v; }
                case "teamID" -> g.teamID = (String) v;
                case "measureMetricLifts" -> g.measureMetricLifts = (Boolean) v;
                case "monitoringMetrics" -> g.monitoringMetrics = Json.asList(v);
                case "reviewSettings" -> review(g, Json.asMap(v));
                case "releasePipelineID" -> g.releasePipelineID = (String) v;
                case "gradual_rollout_strategy" -> g.rolloutStrategy = Json.asMap(v);
                default -> known--;
            }
        }
        return known > 0;
    }

    private static List<String> apps(Object v) {
        if (v instanceof String s) return s.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of(s));
        return Json.strings(v);
    }

    private static void review(GateRow g, Map<String, Object> r) {
        if (r.containsKey("requiredReview")) g.requiredReview = (Boolean) r.get("requiredReview");
        if (r.get("allowedReviewers") instanceof List<?> l) g.allowedReviewers = Json.asList(l);
    }

    static Map<String, Object> render(GateRow g) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", g.id);
        m.put("name", g.name);
        m.put("description", g.description);
        m.put("idType", g.idType);
        m.put("isEnabled", g.isEnabled);
        m.put("status", g.status);
        m.put("type", g.type);
        m.put("typeReason", g.typeReason);
        m.put("rules", g.rules);
        m.put("tags", g.tags);
        m.put("targetApps", g.targetApps);
        m.put("holdoutIDs", g.holdoutIDs);
        m.put("checksPerHour", g.checksPerHour);
        m.put("createdTime", g.createdTime);
        m.put("lastModifiedTime", g.lastModifiedTime);
        m.put("creatorID", g.creatorID);
        m.put("creatorName", g.creatorName);
        m.put("creatorEmail", g.creatorEmail);
        m.put("lastModifierID", g.lastModifier.id());
        m.put("lastModifierName", g.lastModifier.name());
        m.put("lastModifierEmail", g.lastModifier.email());
        m.put("team", g.team);
        m.put("teamID", g.teamID);
        m.put("reviewSettings", Json.obj("requiredReview", g.requiredReview, "allowedReviewers", g.allowedReviewers));
        m.put("measureMetricLifts", g.measureMetricLifts);
        m.put("store0100Exposures", g.store0100Exposures);
        if (g.owner != null) m.put("owner", g.owner.asOwner("USER"));
        m.put("monitoringMetrics", g.monitoringMetrics);
        m.put("releasePipelineID", g.releasePipelineID);
        m.put("version", g.version);
        m.put("permalink", "https://console.example.com/project/gates/" + Pages.segment(g.id));
        m.put("ruleCount", g.rules.size());
        return m;
    }
}
