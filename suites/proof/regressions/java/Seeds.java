import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is there when the server starts: environments, configs, sources, gates. */
final class Seeds {
    static final Actor NADIA = new Actor("usr_nadia", "Nadia Okafor", "nadia@example.com");
    static final Actor PIETER = new Actor("usr_pieter", "Pieter Smit", "pieter@example.com");
    static final long T0 = 1719830400000L;

    private final EnvironmentRepository environments;
    private final ConfigRepository configs;
    private final SourceRepository sources;
    private final GateRepository gates;

    Seeds(EnvironmentRepository environments, ConfigRepository configs, SourceRepository sources, GateRepository gates) {
        this.environments = environments;
        this.configs = configs;
        this.sources = sources;
        this.gates = gates;
    }

    void plant() {
        environment("env_prod", "production", true, true, true);
        environment("env_stage", "staging", false, true, false);
        environment("env_dev", "development", false, false, false);
        environment("env_perf", "load test", false, false, true);
        config("freight_rates", "Freight rates", 12, "shipping", "pricing");
        config("freight_rates_eu", "Freight rates EU", 3, "shipping");
        config("onboarding copy", "Onboarding copy", 40, "content", "growth");
        config("limits/api", "API limits", 4);
        config("fee%table", "Fees", 5, "pricing", "finance");
        config("colour+theme", "Colours", 2, "design");
        config("retired_banner", "Retired banner", 20, "content");
        String[] names = {"orders_daily", "orders_raw", "page_hits", "refunds", "signups", "support tickets", "carts/abandoned",
            "discount%codes", "search+clicks", "sessions", "returns", "newsletter_opens", "payouts"};
        for (int i = 0; i < names.length; i++) source(i, names[i]);
        String[][] g = {{"fast_checkout", "fast_checkout"}, {"night_mode", "Night mode"}, {"beta_search", "Beta search"},
            {"gift wrap", "gift wrap"}, {"eu/vat", "EU VAT"}, {"ten%off", "Ten percent off"}, {"a+b_layout", "A-B layout"},
            {"new_onboarding", "new_onboarding"}, {"legacy_cart", "Legacy cart"}, {"kill_switch", "Kill switch"}};
        for (int i = 0; i < g.length; i++) gate(i, g[i][0], g[i][1]);
    }

    private void environment(String id, String name, boolean production, boolean review, boolean pipeline) {
        EnvironmentRow e = new EnvironmentRow();
        e.id = id;
        e.name = name;
        e.isProduction = production;
        e.requiresReview = review;
        e.requiresReleasePipeline = pipeline;
        environments.rows.insert(id, e);
    }

    static Map<String, Object> rule(String name, String field, String value, boolean config) {
        Map<String, Object> m = Json.obj("name", name, "passPercentage", 50,
            "conditions", Json.list(Json.obj("targetValue", Json.list(value), "operator", "any", "field", field, "customID", "")),
            "environments", Json.list("production"), "id", "rule_" + name.hashCode(), "baseID", "rule_" + name.hashCode(),
            "returnValue", Json.obj("enabled", true));
        if (config) m.put("returnValueJson5", "{\"enabled\":true}");
        m.put("completedAutomatedRollouts", Json.list());
        m.put("pendingAutomatedRollouts", Json.list(Json.obj("passPercent", 75, "time", T0 + 86_400_000L)));
        if (config) m.put("variants", Json.list(Json.obj("name", "control", "passPercentage", 50, "id", "var_1",
            "returnValue", Json.obj("enabled", false), "returnValueJson5", "{\"enabled\":false}")));
        return m;
    }

    private void config(String id, String name, int versions, String... tags) {
        ConfigRow c = new ConfigRow();
        c.id = id;
        c.name = name;
        c.idType = "userID";
        c.isEnabled = true;
        c.tags = List.of(tags);
        c.rules = Json.list(rule("europe", "country", "NL", true));
        c.schema = "{\"type\":\"object\"}";
        c.targetApps = "storefront";
        c.holdoutIDs = List.of("holdout_2024");
        c.team = "Logistics";
        c.teamID = "team_logistics";
        c.owner = NADIA;
        c.creator = NADIA;
        c.lastModifier = PIETER;
        c.createdTime = T0;
        c.checksPerHour = 120;
        for (int v = 1; v <= versions; v++) {
            c.version = v;
            c.description = "Revision " + v + " of " + name + ".";
            c.defaultValue = Json.obj("step", v, "label", "v" + v, "limits", Json.obj("max", v * 10));
            c.lastModifiedTime = T0 + v * 3_600_000L;
            configs.publish(c);
        }
    }

    private void source(int i, String name) {
        SourceRow s = new SourceRow();
        s.name = name;
        s.description = "Events of " + name + ".";
        s.sql = "SELECT user_id, company_id, happened_at, amount FROM warehouse.t" + i
            + " WHERE happened_at BETWEEN '{service_start_date}' AND '{service_end_date}'";
        s.timestampColumn = "happened_at";
        s.timestampAsDay = i % 2 == 0;
        s.idTypeMapping = Json.list(Json.obj("serviceUnitID", "userID", "column", "user_id"),
            Json.obj("serviceUnitID", "companyID", "column", "company_id"));
        s.sourceType = i % 3 == 0 ? "table" : "query";
        s.tableName = "warehouse.t" + i;
        s.datePartitionColumn = "ds";
        s.customFieldMapping = Json.list(Json.obj("key", "net", "formula", "amount * 0.8"));
        s.isReadOnly = false;
        s.isVerified = i % 4 == 0;
        s.owner = NADIA.asOwner("USER");
        s.team = "Logistics";
        s.teamID = "team_logistics";
        s.tags = i % 2 == 0 ? new ArrayList<>(List.of("core", "finance")) : new ArrayList<>();
        s.columns = new ArrayList<>(List.of("user_id", "company_id", "happened_at", "amount"));
        s.columnTypes = new ArrayList<>(List.of("string", "string", "timestamp", "double"));
        sources.insert(s);
    }

    private void gate(int i, String id, String name) {
        GateRow g = new GateRow();
        g.id = id;
        g.name = name;
        g.description = "Decides who sees " + name + ".";
        g.idType = i % 3 == 2 ? "companyID" : "userID";
        g.isEnabled = i % 4 != 3;
        g.status = i % 2 == 0 ? "In Progress" : "Launched";
        g.type = i % 3 == 0 ? "PERMANENT" : "TEMPORARY";
        g.rules = Json.list(rule("staff " + i, "email", "@example.com", false));
        g.monitoringMetrics = Json.list(Json.obj("name", "orders", "type", "event_count"));
        g.targetApps = new ArrayList<>(List.of("storefront"));
        g.holdoutIDs = new ArrayList<>();
        g.checksPerHour = i * 37;
        g.createdTime = T0 + i;
        g.lastModifiedTime = T0 + 1000L * i;
        g.creatorID = NADIA.id();
        g.creatorName = NADIA.name();
        g.creatorEmail = NADIA.email();
        g.lastModifier = PIETER;
        g.team = i % 2 == 0 ? "Logistics" : null;
        g.teamID = i % 2 == 0 ? "team_logistics" : null;
        g.releasePipelineID = i % 2 == 0 ? "pipe_weekly" : null;
        g.requiredReview = false;
        g.allowedReviewers = new ArrayList<>();
        g.measureMetricLifts = i % 2 == 1;
        g.owner = NADIA;
        g.tags = new ArrayList<>(List.of("web", "wave " + i));
        gates.insert(g);
    }

    static BigDecimal n(String s) { return new BigDecimal(s); }

    static Map<String, Object> none() { return new LinkedHashMap<>(); }
}
