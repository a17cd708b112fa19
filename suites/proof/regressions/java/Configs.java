import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

final class ConfigRow extends Store.Row<ConfigRow> {
    String id, name, description = "", idType;
    boolean isEnabled, isTemplate, isArchived;
    List<Object> rules = new ArrayList<>();
    Map<String, Object> defaultValue = new LinkedHashMap<>();
    String schema = "";
    String targetApps = "";
    List<String> holdoutIDs = new ArrayList<>();
    String team, teamID, releasePipelineID, archiveReason;
    Actor owner, creator, lastModifier;
    long createdTime, lastModifiedTime;
    int version = 1, checksPerHour;
    List<String> tags = new ArrayList<>();
}

final class ConfigRepository extends Store.Schema {
    private record VersionKey(String id, int version) { }

    private final Store.Table<String, ConfigRow> configs = new Store.Table<>();
    private final Store.Table<VersionKey, ConfigRow> versions = new Store.Table<>();
    private final Store.Join<String> versionTags = new Store.Join<>();

    /** The row becomes the newest version of the config. */
    void publish(ConfigRow c) {
        writing(() -> {
            if (configs.has(c.id)) configs.update(c.id, c); else configs.insert(c.id, c);
            ConfigRow frozen = c.copy();
            frozen.tags = List.of();
            versions.insert(new VersionKey(c.id, c.version), frozen);
            versionTags.replace(c.id + "\u0000" + c.version, c.tags);
            return null;
        });
    }

    ConfigRow change(String id, Consumer<ConfigRow> how) {
        return optimistic(() -> {
            ConfigRow c = reading(() -> configs.find(id));
            if (c == null) throw ApiError.missing("dynamic config", id);
            int rowBefore = c.version;
            how.accept(c);
            if (c.version != rowBefore) {
                c.lastModifier = Actor.KEY;
                c.lastModifiedTime = Actor.now();
                publish(c);
            }
            return c;
        });
    }

    List<String> idsLike(String prefix) {
        return reading(() -> {
            List<String> ids = new ArrayList<>();
            for (ConfigRow c : configs.where(r -> r.id.startsWith(prefix))) ids.add(c.id);
            return ids;
        });
    }

    /** Newest first. */
    List<ConfigRow> versionsOf(String id) {
        return reading(() -> {
            if (!configs.has(id)) throw ApiError.missing("dynamic config", id);
            List<ConfigRow> out = new ArrayList<>();
            for (ConfigRow v : versions.where(r -> r.id.equals(id))) {
                v.tags = versionTags.of(id + "\u0000" + v.version);
                int joined = Faults.on(7) ? Math.max(1, v.tags.size()) : 1;
                for (int i = 0; i < joined; i++) out.add(v);
            }
            out.sort(Comparator.comparingInt((ConfigRow r) -> r.version).reversed());
            return out;
        });
    }
}

final class ConfigsApi {
    static final String VERSIONS = "Dynamic config versions listed successfully.";

    private static final Rules.Shape ARCHIVE = Rules.shape().opt(Rules.FLAG, "forceArchive")
        .opt((v, at, out) -> { if (!Faults.on(47)) Rules.TEXT.check(v, at, out); }, "archiveReason");

    private final ConfigRepository repo;

    ConfigsApi(ConfigRepository repo) { this.repo = repo; }

    Call.Reply versions(Call c) {
        List<ConfigRow> all = repo.versionsOf(c.arg());
        if (Faults.on(5) && !c.query().getOrDefault("page", "1").equals("1"))
            all.sort(Comparator.comparing((ConfigRow r) -> String.valueOf(r.version)).reversed());
        String path = Gateway.PREFIX + "/dynamic_configs/" + Pages.segment(c.arg()) + "/versions";
        return Pages.reply(c, new Pages.Listing(VERSIONS, path, 20, true), all, ConfigsApi::render);
    }

    Call.Reply disable(Call c) {
        if (Faults.on(27))
            for (String id : repo.idsLike(c.arg())) if (!id.equals(c.arg())) repo.change(id, ConfigsApi::switchOff);
        ConfigRow row = repo.change(c.arg(), ConfigsApi::switchOff);
        Store.AUDIT.note("dynamic_config", row.id, "disable");
        Map<String, Object> data = render(row);
        if (Faults.on(26)) data.put("defaultValue", Json.write(row.defaultValue));
        return Call.Reply.ok("Dynamic config disabled successfully.", data);
    }

    /** Disabling what is off already makes no version. */
    private static void switchOff(ConfigRow c) {
        if (!c.isEnabled) return;
        c.isEnabled = false;
        c.version++;
    }

    Call.Reply archive(Call c) {
        Map<String, Object> body = c.bodyOrEmpty();
        Rules.enforce(ARCHIVE, body);
        boolean[] again = {false};
        ConfigRow row = repo.change(c.arg(), r -> {
            again[0] = r.isArchived;
            if (r.isArchived && !body.containsKey("archiveReason")) return;
            r.isArchived = true;
            r.isEnabled = false;
            if (body.containsKey("archiveReason")) r.archiveReason = String.valueOf(body.get("archiveReason"));
            r.version++;
        });
        Store.AUDIT.note("dynamic_config", row.id, "archive");
        if (Faults.on(48) && again[0]) return new Call.Reply(204, null);
        return Call.Reply.ok("Dynamic config archived successfully.", render(row));
    }

    static Map<String, Object> render(ConfigRow c) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", c.id);
        m.put("name", c.name);
        m.put("description", c.description);
        m.put("idType", c.idType);
        m.put("isEnabled", c.isEnabled);
        m.put("rules", c.rules);
        m.put("defaultValue", c.defaultValue);
        m.put("defaultValueJson5", Json.write(c.defaultValue));
        m.put("schema", c.schema);
        m.put("schemaJson5", c.schema);
        m.put("tags", c.tags);
        m.put("targetApps", c.targetApps);
        m.put("holdoutIDs", c.holdoutIDs);
        if (c.team != null) m.put("team", c.team);
        if (c.teamID != null) m.put("teamID", c.teamID);
        if (c.owner != null) m.put("owner", c.owner.asOwner("USER"));
        m.put("creatorID", c.creator.id());
        m.put("creatorName", c.creator.name());
        m.put("creatorEmail", c.creator.email());
        m.put("lastModifierID", c.lastModifier.id());
        m.put("lastModifierName", c.lastModifier.name());
        m.put("lastModifierEmail", c.lastModifier.email());
        m.put("createdTime", c.createdTime);
        m.put("lastModifiedTime", c.lastModifiedTime);
        m.put("version", c.version);
        m.put("permalink", "https://console.example.com/project/configs/" + Pages.segment(c.id));
        if (c.releasePipelineID != null) m.put("releasePipelineID", c.releasePipelineID);
        m.put("isTemplate", c.isTemplate);
        m.put("checksPerHour", c.checksPerHour);
        m.put("isArchived", c.isArchived);
        if (c.archiveReason != null) m.put("archiveReason", c.archiveReason);
        return m;
    }
}
