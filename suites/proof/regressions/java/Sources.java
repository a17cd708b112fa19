import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A qualifying event, which is a metric source. */
final class SourceRow extends Store.Row<SourceRow> {
    /** Immutable key of the row; the name that is shown is a column. */
    String key;
    String name, description = "", sql, timestampColumn, sourceType = "query";
    String tableName = "", datePartitionColumn = "";
    boolean timestampAsDay, isReadOnly, isVerified, disableCURE;
    List<Object> idTypeMapping = new ArrayList<>(), customFieldMapping = new ArrayList<>();
    Map<String, Object> owner;
    String team, teamID;
    List<String> columns = new ArrayList<>(), columnTypes = new ArrayList<>();
    List<String> tags = new ArrayList<>();
}

final class SourceRepository extends Store.Schema {
    final Store.Table<String, SourceRow> rows = new Store.Table<>();
    final Store.Join<String> tags = new Store.Join<>();

    SourceRow load(String name) {
        return reading(() -> {
            SourceRow s = rows.find(name);
            if (s == null) throw ApiError.missing("qualifying event", name);
            s.tags = tags.of(name);
            return s;
        });
    }

    void insert(SourceRow s) {
        s.key = s.name;
        writing(() -> {
            rows.insert(s.key, s);
            tags.replace(s.key, s.tags);
            return null;
        });
    }

    void save(SourceRow s) {
        writing(() -> {
            rows.update(s.key, s);
            tags.replace(s.key, s.tags);
            return null;
        });
    }

    List<SourceRow> all() {
        return reading(() -> {
            List<SourceRow> l = rows.all();
            for (SourceRow s : l) s.tags = tags.of(s.key);
            return l;
        });
    }
}

final class SourcesApi {
    /** The links are those that clients of the metrics area have always got. The path is served, too. */
    static final Pages.Listing LISTING = new Pages.Listing("Qualifying events listed successfully.",
        Gateway.PREFIX + "/metrics/qualifying_event/list", 10, true);

    private static final Rules.Shape BODY = Rules.shape()
        .req(Rules.TEXT, "sql", "timestampColumn")
        .req(Rules.listOf(Rules.shape().opt(Rules.TEXT, "serviceUnitID", "column")), "idTypeMapping")
        .opt(Rules.TEXT, "description", "tableName", "datePartitionColumn")
        .opt(Rules.TEXTS, "tags", "all_columns", "column_types")
        .opt(Rules.FLAG, "timestampAsDay", "isReadOnly", "isVerified", "disableCURE", "dryRun", "skip_validation")
        .opt(Rules.oneOf("table", "query"), "sourceType")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "key", "formula")), "customFieldMapping")
        .opt(Rules.OWNER, "owner")
        .opt(Rules.orNull(Rules.TEXT), "team", "teamID")
        .also(SourcesApi::checkSql)
        .also(SourcesApi::checkColumns);

    private final SourceRepository repo;

    SourcesApi(SourceRepository repo) { this.repo = repo; }

    private static boolean yes(Map<?, ?> body, String member) { return Boolean.TRUE.equals(body.get(member)); }

    /** We have no warehouse to ask, so that a query only must not be blank. */
    private static void checkSql(Object v, String at, List<Rules.Problem> out) {
        Map<?, ?> b = (Map<?, ?>) v;
        if (yes(b, "skip_validation") || "table".equals(b.get("sourceType"))) return;
        if (b.get("sql") instanceof String s && s.isBlank()) out.add(new Rules.Problem("/sql", "invalid_sql", "the query is blank"));
    }

    private static void checkColumns(Object v, String at, List<Rules.Problem> out) {
        Map<?, ?> b = (Map<?, ?>) v;
        if (!yes(b, "skip_validation")) return;
        for (String n : List.of("all_columns", "column_types"))
            if (!b.containsKey(n)) out.add(new Rules.Problem("/" + n, "required", "is required with skip_validation"));
        if (b.get("all_columns") instanceof List<?> c && b.get("column_types") instanceof List<?> t && c.size() != t.size())
            out.add(new Rules.Problem("/column_types", "misaligned", "one type for each column is expected"));
    }

    Call.Reply update(Call c) {
        Map<String, Object> body = c.body();
        Rules.enforce(BODY, body);
        boolean dry = yes(body, "dryRun");
        SourceRow saved = repo.optimistic(() -> {
            SourceRow s = repo.load(c.arg());
            merge(s, body);
            if (Faults.on(8) && dry) repo.writing(() -> { repo.tags.replace(s.key, s.tags); return null; });
            if (!dry) repo.save(s);
            return s;
        });
        if (!dry) Store.AUDIT.note("qualifying_event", saved.key, "update");
        Map<String, Object> data = render(saved);
        if (Faults.on(11)) data.put("name", saved.key);
        return Call.Reply.ok("Qualifying event updated successfully.", data);
    }

    private static void merge(SourceRow s, Map<String, Object> b) {
        s.sql = (String) b.get("sql");
        s.timestampColumn = (String) b.get("timestampColumn");
        s.idTypeMapping = Json.asList(b.get("idTypeMapping"));
        if (Faults.on(10)) s.idTypeMapping = byColumn(s.idTypeMapping);
        if (Faults.on(11) && b.get("name") instanceof String n && !n.isBlank()) s.name = n;
        if (b.containsKey("description")) s.description = (String) b.get("description");
        if (b.containsKey("tags")) s.tags = Json.strings(b.get("tags"));
        if (Faults.on(12) ? yes(b, "timestampAsDay") : b.containsKey("timestampAsDay")) s.timestampAsDay = yes(b, "timestampAsDay");
        if (b.containsKey("sourceType")) s.sourceType = (String) b.get("sourceType");
        String table = (String) b.getOrDefault("tableName", s.tableName);
        String partition = (String) b.getOrDefault("datePartitionColumn", s.datePartitionColumn);
        boolean swap = Faults.on(9) && b.containsKey("tableName") && b.containsKey("datePartitionColumn");
        s.tableName = swap ? partition : table;
        s.datePartitionColumn = swap ? table : partition;
        if (b.containsKey("customFieldMapping")) s.customFieldMapping = Json.asList(b.get("customFieldMapping"));
        if (b.containsKey("isReadOnly")) s.isReadOnly = yes(b, "isReadOnly");
        if (b.containsKey("isVerified")) s.isVerified = yes(b, "isVerified");
        if (b.containsKey("disableCURE")) s.disableCURE = yes(b, "disableCURE");
        if (b.containsKey("owner")) s.owner = Json.asMap(b.get("owner"));
        if (b.containsKey("team")) s.team = (String) b.get("team");
        if (b.containsKey("teamID")) s.teamID = (String) b.get("teamID");
        if (yes(b, "skip_validation")) {
            s.columns = Json.strings(b.get("all_columns"));
            s.columnTypes = Json.strings(b.get("column_types"));
        }
    }

    private static List<Object> byColumn(List<Object> mapping) {
        Map<Object, Object> unique = new LinkedHashMap<>();
        for (Object o : mapping) unique.put(Json.asMap(o).get("column"), o);
        return new ArrayList<>(unique.values());
    }

    Call.Reply list(Call c) {
        return Pages.reply(c, LISTING, repo.all(), s -> {
            Map<String, Object> m = render(s);
            if (Faults.on(50)) m.put("sql", s.sql.replaceAll("\\{service_(start|end)_date\\}", ""));
            return m;
        });
    }

    private static Map<String, Object> render(SourceRow s) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("name", s.name);
        m.put("description", s.description);
        m.put("tags", s.tags);
        m.put("sql", s.sql);
        m.put("timestampColumn", s.timestampColumn);
        m.put("timestampAsDay", s.timestampAsDay);
        m.put("idTypeMapping", s.idTypeMapping);
        m.put("sourceType", s.sourceType);
        m.put("tableName", s.tableName);
        m.put("datePartitionColumn", s.datePartitionColumn);
        m.put("customFieldMapping", s.customFieldMapping);
        m.put("isReadOnly", s.isReadOnly);
        m.put("isVerified", s.isVerified);
        m.put("disableCURE", s.disableCURE);
        if (s.owner != null) m.put("owner", s.owner);
        m.put("team", s.team);
        m.put("teamID", s.teamID);
        return m;
    }
}
