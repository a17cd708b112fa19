import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class ExperimentRow extends Store.Row<ExperimentRow> {
    /** Multiple-testing corrections, four columns of their own. */
    record Corrections(boolean bonferroniPerMetric, boolean hochbergPerVariant, boolean hochbergPerMetric, boolean primaryOnly) { }

    String id, name, description = "", idType, hypothesis = "", status = "setup", layerID;
    BigDecimal allocation = new BigDecimal(100);
    String targetingGateID, controlGroupID, launchedGroupID, defaultConfidenceInterval = "95";
    boolean bonferroniCorrection, isStale;
    Corrections corrections = new Corrections(false, false, false, false);
    String creatorID, creatorName, creatorEmail;
    Actor lastModifier;
    long createdTime, lastModifiedTime, startTime, endTime, decisionTime;
    int version = 1;
    Actor owner;
    /** The column "settings": members that nothing is ever searched by. */
    Map<String, Object> settings = new LinkedHashMap<>();
    /** What other parts of the service write (reviews, health, holdouts). */
    Map<String, Object> derived = new LinkedHashMap<>();
    /* From child and join tables: */
    List<GroupRow> groups = new ArrayList<>();
    Map<String, List<MetricRef>> metrics = new LinkedHashMap<>();
    List<String> tags = new ArrayList<>();
    List<QualityRow> quality = new ArrayList<>();
}

record GroupRow(String id, String name, BigDecimal size, Map<String, Object> parameterValues, boolean disabled,
                String description, String foreignGroupID, boolean highlighted) {
    GroupRow enabled() { return new GroupRow(id, name, size, parameterValues, false, description, foreignGroupID, highlighted); }
}

record MetricRef(String name, String type, BigDecimal hypothesizedValue) { }

record QualityRow(String criterion, String passingDescription, BigDecimal score, BigDecimal weight, boolean standard) { }

final class ExperimentRepository extends Store.Schema {
    static final List<String> ROLES = List.of("primaryMetrics", "secondaryMetrics", "otherMetrics");
    private final Store.Table<String, ExperimentRow> experiments = new Store.Table<>();
    private final Store.Join<GroupRow> groups = new Store.Join<>();
    private final Store.Join<MetricRef> metricRefs = new Store.Join<>();
    private final Store.Join<String> tags = new Store.Join<>();
    private final Store.Join<QualityRow> quality = new Store.Join<>();

    ExperimentRow load(String id) {
        return reading(() -> {
            ExperimentRow e = experiments.find(id);
            if (e == null) throw ApiError.missing("experiment", id);
            e.groups = groups.of(id);
            e.metrics = new LinkedHashMap<>();
            for (String role : ROLES) e.metrics.put(role, metricRefs.of(role + "/" + id));
            e.tags = tags.of(id);
            e.quality = quality.of(id);
            return e;
        });
    }

    void insert(ExperimentRow e) {
        writing(() -> { experiments.insert(e.id, e); children(e); return null; });
    }

    void save(ExperimentRow e) {
        writing(() -> { experiments.update(e.id, e); children(e); return null; });
    }

    void overwrite(ExperimentRow e) {
        writing(() -> { experiments.overwrite(e.id, e); children(e); return null; });
    }

    private void children(ExperimentRow e) {
        groups.replace(e.id, e.groups);
        for (String role : ROLES) metricRefs.replace(role + "/" + e.id, e.metrics.getOrDefault(role, List.of()));
        tags.replace(e.id, e.tags);
        quality.replace(e.id, e.quality);
    }
}

final class ExperimentsApi {
    private static final Rules.Shape ENABLE = Rules.shape().req((v, at, out) -> {
        if (v == null && Faults.on(38)) return;
        Rules.TEXTS.check(v, at, out);
    }, "group_names");

    private final ExperimentRepository repo;

    ExperimentsApi(ExperimentRepository repo) { this.repo = repo; }

    Call.Reply update(Call c) {
        Map<String, Object> body = c.body();
        Rules.enforce(ExperimentShape.BODY, body);
        return repo.optimistic(() -> {
            ExperimentRow e = repo.load(c.arg());
            ExperimentMapper.merge(e, body);
            touch(e);
            repo.save(e);
            if (body.get("manualQualityScores") instanceof List<?> l && l.size() > 10)
                throw ApiError.invalid("/manualQualityScores", "too_many", "at most 10 entries");
            Store.AUDIT.note("experiment", e.id, "update");
            return Call.Reply.ok("Experiment updated successfully.", ExperimentMapper.render(e));
        });
    }

    Call.Reply enableGroups(Call c) {
        Map<String, Object> body = c.body();
        Rules.enforce(ENABLE, body);
        List<String> names = body.get("group_names") == null ? List.of() : Json.strings(body.get("group_names"));
        return repo.optimistic(() -> {
            ExperimentRow e = repo.load(c.arg());
            List<GroupRow> after = new ArrayList<>();
            List<String> unknown = new ArrayList<>(names);
            for (GroupRow g : e.groups) {
                after.add(names.contains(g.name()) ? g.enabled() : g);
                unknown.removeIf(n -> n.equals(g.name()));
            }
            if (!unknown.isEmpty())
                throw ApiError.invalid("/group_names", "unknown", "the experiment has no group " + String.join(", ", unknown));
            e.groups = after;
            touch(e);
            if (Faults.on(40)) {
                Store.pause(4);
                repo.overwrite(e);
            } else {
                repo.save(e);
            }
            Store.AUDIT.note("experiment", e.id, "enable_groups");
            Map<String, Object> data = ExperimentMapper.render(e);
            return Call.Reply.ok("Experiment groups enabled successfully.", Faults.on(39) ? compact(data) : data);
        });
    }

    private static void touch(ExperimentRow e) {
        e.version++;
        e.lastModifier = Actor.KEY;
        e.lastModifiedTime = Actor.now();
    }

    /** Leaves out what is empty, false or zero (Include.NON_DEFAULT). */
    private static Object compact(Object v) {
        if (v instanceof List<?> l) {
            List<Object> out = new ArrayList<>();
            for (Object o : l) out.add(compact(o));
            return out;
        }
        if (!(v instanceof Map<?, ?> m)) return v;
        Map<String, Object> out = new LinkedHashMap<>();
        for (Map.Entry<?, ?> e : m.entrySet()) {
            Object x = e.getValue();
            boolean plain = Boolean.FALSE.equals(x) || x instanceof List<?> l && l.isEmpty();
            if (!plain) out.put((String) e.getKey(), compact(x));
        }
        return out;
    }

    private static Map<String, Object> compact(Map<String, Object> m) { return Json.asMap(compact((Object) m)); }
}
