package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

const seedTime = int64(1727894400000)

func ptr[T any](v T) *T { return &v }

func object(js string) Object {
	var o Object
	if err := json.Unmarshal([]byte(js), &o); err != nil {
		panic(err)
	}
	return o
}

var (
	seedOwner = &Owner{OwnerID: "user_1", OwnerType: "USER", OwnerName: "Ada Stone", OwnerEmail: "ada@example.com"}
	keyOwner  = &Owner{OwnerID: "key_1", OwnerType: "SDK_KEY", OwnerName: "CONSOLE API", OwnerEmail: ""}
)

func seedActor(i int) Actor {
	if i%3 == 2 {
		return Actor{CreatedTime: seedTime + int64(i), LastModifiedTime: seedTime + int64(i)}
	}
	return Actor{ptr("user_1"), ptr("Ada Stone"), ptr("ada@example.com"), ptr("user_2"), ptr("Bo Reed"), ptr("bo@example.com"),
		seedTime + int64(i), seedTime + int64(i)*1000}
}

func seedStore() *Store {
	s := &Store{
		environments: []Environment{
			{ID: "env_prod", Name: "production", IsProduction: true, RequiresReview: true, RequiresReleasePipeline: true},
			{ID: "env_stage", Name: "staging", RequiresReview: true},
			{ID: "env_dev", Name: "development"},
			{ID: "env_qa", Name: "qa", RequiresReleasePipeline: true},
		},
		configs:  map[string][]*DynamicConfig{},
		prompts:  map[string][]PromptVersion{"support_bot": {}, "release-notes": {}},
		qeCache:  map[string][]QualifyingEvent{},
		expCache: map[string]Experiment{},

		metricIDs: map[string]bool{},
	}
	s.seedGates()
	s.seedConfigs()
	s.seedExperiments()
	s.seedQualifying()
	s.seedSegments()
	s.seedMetrics()
	s.seedEvents()
	return s
}

func (s *Store) seedGates() {
	backing := []string{"web", "core", "beta", "mobile", "growth", "infra", "search", "ads", "payments", "labs"}
	for i, id := range []string{"new_nav", "new_nav_v2", "checkout", "dark_mode", "search_boost", "ads_slot", "gate with space",
		"old/gate", "50%_rollout", "plain"} {
		g := &Gate{ID: id, Name: strings.NewReplacer("/", " ", "%", "").Replace(id), Description: "Gate " + id, IDType: "userID",
			IsEnabled: i%4 != 3, Status: "In Progress", Type: "PERMANENT", TypeReason: "NONE", Rules: []Object{},
			ChecksPerHour: i * 12, Actor: seedActor(i), MeasureMetricLifts: i%2 == 0, Version: i + 1,
			Permalink: "/gates/" + id, Tags: backing[i : i+1]}
		if i%2 == 0 {
			g.Rules = []Object{object(`{"name":"everyone","passPercentage":12.5,"conditions":[],"environments":["production"]}`)}
			g.Team, g.TeamID, g.Owner = ptr("core"), ptr("team_1"), seedOwner
			g.ReviewSettings = ReviewSettings{RequiredReview: true, AllowedReviewers: List[json.RawMessage]{json.RawMessage(`"user_2"`)}}
		}
		if i%3 == 1 {
			g.Type, g.Status, g.Store0100Exposures = "TEMPORARY", "Launched", true
			g.MonitoringMetrics = List[Object]{object(`{"name":"purchase","type":"event_count"}`)}
			g.TargetApps, g.HoldoutIDs = Strings{"web"}, Strings{"holdout_1"}
		}
		if i == 9 {
			g.Tags = nil
		}
		s.gates = append(s.gates, g)
	}
}

func (s *Store) seedConfigs() {
	for i, id := range []string{"pricing", "pricing_eu", "limits", "banner text", "flags"} {
		for v := 1; v <= []int{20, 12, 3, 5, 1}[i]; v++ {
			c := &DynamicConfig{ID: id, Name: id, Description: fmt.Sprintf("Version %d of %s", v, id), IDType: "userID",
				IsEnabled: i != 2, DefaultValue: object(fmt.Sprintf(`{"n":%d,"big":12345678901234567}`, v)),
				DefaultValueJSON5: fmt.Sprintf("{n: %d, big: 12345678901234567}", v), TargetApps: "web", CreatedTime: seedTime, LastModifiedTime: seedTime + int64(v),
				CreatorID: "user_1", CreatorName: "Ada Stone", CreatorEmail: "ada@example.com",
				LastModifierID: "user_2", LastModifierName: "Bo Reed", LastModifierEmail: "bo@example.com",
				Version: v, Permalink: "/dynamic_configs/" + id, ChecksPerHour: i, Owner: seedOwner}
			rule := Rule{Name: "Rule A", PassPercentage: 33.3, ID: "rule_a", BaseID: "rule_a", Environments: EnvNames{"production"},
				Conditions:  List[Condition]{{TargetValue: []string{"US", "CA"}, Operator: "any", Field: "country", Type: "country"}},
				ReturnValue: object(`{"n":0}`), ReturnValueJSON5: "{n: 0}",
				Variants: List[Variant]{{Name: "v1", PassPercentage: 50, ID: "v1", ReturnValue: object(`{"n":1}`), ReturnValueJSON5: "{n: 1}"}}}
			c.Rules = List[Rule]{rule}
			if i == 3 {
				all := rule
				all.Name, all.ID, all.Environments = "Everywhere", "rule_b", nil
				c.Rules = append(c.Rules, all)
			}
			if i != 1 {
				c.Tags, c.Team, c.TeamID = Strings{"core"}, "core", "team_1"
			}
			s.configs[id] = append(s.configs[id], c)
		}
	}
}

func (s *Store) seedExperiments() {
	shared := List[Group]{
		{Name: "Control", Size: 50, ID: "g_control", ParameterValues: object(`{"color":"grey"}`)},
		{Name: "Test", Size: 50, ID: "g_test", ParameterValues: object(`{"color":"red"}`), Disabled: true},
		{Name: "Test B", Size: 0, ID: "g_test_b", ParameterValues: object(`{"color":"blue"}`), Disabled: true},
	}
	for i, id := range []string{"button_color", "button_color_2", "signup flow", "ranking", "paywall"} {
		e := &Experiment{ID: id, Permalink: "/experiments/" + id, Version: i + 1, LayerID: "layer_" + id, Owner: keyOwner,
			CreatedTime: seedTime, LastModifiedTime: seedTime + 1000, StartTime: seedTime,
			LastModifierID: ptr("user_2"), LastModifierName: ptr("Bo Reed"), LastModifierEmail: ptr("bo@example.com"), CreatorName: ptr("Ada Stone")}
		e.ExperimentBody = ExperimentBody{Name: strings.ReplaceAll(id, "/", " "), Description: "Experiment " + id, IDType: "userID",
			Hypothesis: "It helps.", Groups: append(List[Group]{}, shared...), Allocation: 100 - float64(i*10), TargetingGateID: ptr("new_nav"),
			DefaultConfidenceInterval: intervals[i], Status: statuses[i], Duration: ptr(14 + i),
			PrimaryMetrics:    List[MetricRef]{{Name: "purchase", Type: "event_count"}},
			SecondaryMetrics:  List[MetricRef]{{Name: "page_view", Type: "event_count", HypothesizedValue: ptr(2.5)}},
			PrimaryMetricTags: Strings{"core"}, CreatorID: ptr("user_1"), CreatorEmail: ptr("ada@example.com"), Tags: Strings{"core"}}
		if bug("eg_shared_groups") {
			e.Groups = shared // experiments cloned from one template
		}
		for _, name := range defaults {
			e.QualityScore.Breakdown = append(e.QualityScore.Breakdown, Criterion{name, name + " passes", 100, 12.5})
		}
		e.QualityScore.Score = 100
		s.experiments = append(s.experiments, e)
	}
}

func (s *Store) seedQualifying() {
	for i := 0; i < 15; i++ {
		q := &QualifyingEvent{Name: fmt.Sprintf("source_%02d", i+1), Description: fmt.Sprintf("Source %d", i+1), Tags: Strings{"core"},
			SQL:             fmt.Sprintf("SELECT * FROM t%d WHERE ts BETWEEN {service_start_date} AND {service_end_date}", i+1),
			TimestampColumn: "ts", TimestampAsDay: i%2 == 0, IDTypeMapping: List[IDMapping]{{"userID", "user_id"}}, SourceType: "query"}
		switch i % 5 {
		case 1:
			q.SourceType, q.TableName, q.DatePartitionColumn = "table", fmt.Sprintf("db.t%d", i+1), "ds"
		case 2:
			q.CustomFieldMapping, q.Tags = List[FieldMapping]{{"total", "price * quantity"}}, nil
		case 3:
			q.Owner, q.Team, q.TeamID, q.IsVerified = seedOwner, ptr("core"), ptr("team_1"), true
		}
		s.qualifying = append(s.qualifying, q)
	}
	s.qualifying[3].Name, s.qualifying[6].Name, s.qualifying[8].Name = "orders daily", "web/clicks", "a+b 100%"
}

func (s *Store) seedSegments() {
	for i := 0; i < 14; i++ {
		g := Segment{ID: fmt.Sprintf("segment_%02d", i+1), IsEnabled: i%3 != 0, Description: fmt.Sprintf("Segment %d", i+1),
			LastModifierName: "Bo Reed", LastModifierID: "user_2", Type: "id_list", Count: i * 100, Tags: Strings{"core"}}
		if i%2 == 1 {
			g.Type = "rule_based"
			g.Rules = &SegmentRules{Name: "rule", PassPercentage: 99.5, ReturnValue: object(`{"in":true}`),
				Conditions: List[Condition]{{TargetValue: "US", Operator: "any", Field: "country", Type: "country"}}}
		}
		s.segments = append(s.segments, g)
	}
}

func (s *Store) seedMetrics() {
	add := func(name, kind string, events ...string) {
		m := &Metric{CreatedTime: seedTime + int64(len(s.metrics)), Owner: &Owner{OwnerID: "user_1", OwnerType: "USER",
			OwnerName: "Ada Stone", OwnerEmail: "ada@example.com", Name: ptr("Ada Stone")}, CreatorName: ptr("Ada Stone"), CreatorEmail: ptr("ada@example.com")}
		m.Name, m.Type, m.Description, m.Directionality = name, kind, "Metric "+name, ptr("increase")
		m.UnitTypes, m.Tags = Strings{"userID"}, Strings{"core"}
		for _, e := range events {
			m.MetricEvents = append(m.MetricEvents, object(fmt.Sprintf(`{"name":%q,"type":"count","criteria":[]}`, e)))
		}
		if kind == "funnel" {
			m.FunnelCountDistinct = ptr("users")
			m.FunnelEventList = &List[EventRef]{}
			for _, e := range events {
				*m.FunnelEventList = append(*m.FunnelEventList, EventRef{e, "event_dau"})
			}
		}
		m.ID, m.Permalink = name+"::"+kind, "/metrics/"+name
		m.fillLineage()
		s.metrics = append(s.metrics, m)
	}
	for _, e := range []string{"purchase", "page_view", "purchase_refund", "add to cart"} {
		add(e, "event_count", e)
		add(e, "event_dau", e)
	}
	add("buy funnel", "funnel", "page_view", "add to cart", "purchase")
	add("refund rate", "ratio", "purchase_refund", "purchase")
	for i := 0; i < 9; i++ {
		add(fmt.Sprintf("purchase_sum_%d", i+1), "sum", "purchase")
	}
}

func (s *Store) seedEvents() {
	for i, name := range []string{"purchase", "page_view", "add to cart", "sale/50%25", "rare::event", "a+b"} {
		for n := 0; n < []int{23, 12, 4, 3, 11, 3}[i]; n++ {
			s.events = append(s.events, EventRecord{Timestamp: fmt.Sprint(seedTime + int64(n)), Name: name, Source: "server",
				Value: []string{"", "12.50", "blue"}[(n+1)%3], UserID: fmt.Sprintf("user_%d", n), Metadata: eventMetadata(n)})
		}
	}
}

func eventMetadata(n int) map[string]string {
	if n == 2 && bug("ev_meta_null") {
		return nil
	}
	if n%2 == 0 {
		return map[string]string{}
	}
	return map[string]string{"page": fmt.Sprint(n)}
}
