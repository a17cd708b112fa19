/** java -cp FOLDER Main --port 0 --key KEY [--regression rNN] */
public final class Main {
    public static void main(String[] args) throws Exception {
        int port = 0;
        String key = System.getenv("SERVICE_API_KEY");
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--port" -> port = Integer.parseInt(args[i + 1]);
                case "--key" -> key = args[i + 1];
                case "--regression" -> Faults.activate(args[i + 1]);
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        if (key == null || key.isEmpty()) throw new IllegalArgumentException("--key is required");
        Wire wire = new Wire(port, wire(key));
        wire.start();
        System.out.println("listening on http://127.0.0.1:" + wire.port());
        System.out.flush();
    }

    private static Gateway wire(String key) {
        EnvironmentRepository environmentRows = new EnvironmentRepository();
        ConfigRepository configRows = new ConfigRepository();
        SourceRepository sourceRows = new SourceRepository();
        ExperimentRepository experimentRows = new ExperimentRepository();
        GateRepository gateRows = new GateRepository();
        MetricRepository metricRows = new MetricRepository();
        SegmentRepository segmentRows = new SegmentRepository();
        PromptRepository promptRows = new PromptRepository();
        EventRepository eventRows = new EventRepository();
        new Seeds(environmentRows, configRows, sourceRows, gateRows).plant();
        new MoreSeeds(experimentRows, metricRows, segmentRows, promptRows, eventRows).plant();

        ConfigsApi configs = new ConfigsApi(configRows);
        SourcesApi sources = new SourcesApi(sourceRows);
        ExperimentsApi experiments = new ExperimentsApi(experimentRows);
        GatesApi gates = new GatesApi(gateRows);
        EventsApi events = new EventsApi(eventRows, metricRows);

        Gateway g = new Gateway(key);
        g.route("POST", "/environments", new EnvironmentsApi(environmentRows)::update);
        g.route("GET", "/dynamic_configs/*/versions", configs::versions);
        g.route("PUT", "/dynamic_configs/*/disable", configs::disable);
        g.route("PUT", "/dynamic_configs/*/archive", configs::archive);
        g.route("GET", "/experiments/qualifying_events", sources::list);
        g.route("GET", "/metrics/qualifying_event/list", sources::list);
        g.route("POST", "/experiments/qualifying_events/*", sources::update);
        g.route("POST", "/experiments/*", experiments::update);
        g.route("POST", "/experiments/*/enable_groups", experiments::enableGroups);
        g.route("PATCH", "/gates/*", gates::patch);
        g.route("PUT", "/gates/*/disable", gates::disable);
        g.route("POST", "/metrics", new MetricsApi(metricRows)::create);
        g.route("GET", "/segments", new SegmentsApi(segmentRows)::list);
        g.route("POST", "/prompts/*/versions", new PromptsApi(promptRows)::create);
        g.route("GET", "/events/*/metrics", events::metrics);
        g.route("GET", "/events/*", events::values);
        return g;
    }
}
