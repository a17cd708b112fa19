package main

import "fmt"

// regressions names the deliberate defects selectable by -regression.
var regressions = map[string]string{
	"r01": "ql_cache_page",
	"r02": "ver_off_by_one",
	"r03": "ver_next_on_full",
	"r04": "pv_zero_drop",
	"r05": "env_not_stored",
	"r06": "eg_stale_cache",
	"r07": "gp_else_if",
	"r08": "qe_second_mapping",
	"r09": "qe_dry",
	"r10": "ex_partial_write",
	"r11": "ex_alloc_zero",
	"r12": "ex_sprt_first",
	"r13": "ver_alias",
	"r14": "gp_empty_desc",
	"r15": "dis_time_string",
	"r16": "ql_stale",
	"r17": "arc_desc_reason",
	"r18": "eg_shared_groups",
	"r19": "qe_map_by_column",
	"r20": "arc_lenient_body",
	"r21": "gp_race",
	"r22": "pv_unanchored",
	"r23": "env_loopvar",
	"r24": "mt_nested_types",
	"r25": "em_prefix",
	"r26": "ev_meta_null",
	"r27": "em_first_lineage",
	"r28": "auth_prefix",
	"r29": "gp_tags_alias",
	"r30": "ex_hour_zero",
	"r31": "pv_html",
	"r32": "mt_ratio_first",
	"r33": "auth_route",
	"r34": "gp_desc_bytes",
	"r35": "em_total",
	"r36": "sg_pages_floor",
	"r37": "ex_evt_int32",
	"r38": "gp_team_null",
	"r39": "ex_hyp_zero",
	"r40": "gp_reset_absent",
	"r41": "sg_default_limit",
	"r42": "eg_missing_ok",
	"r43": "gp_partial_write",
	"r44": "env_false_ignored",
	"r45": "ex_buckets_first",
	"r46": "ex_param_float",
	"r47": "dis_rule_env_null",
	"r48": "ql_next_limit",
	"r49": "qe_rename",
	"r50": "qe_skip_cols",
	"r51": "env_copy_paste",
	"r52": "mt_id_space",
	"r53": "ev_prev_self",
	"r54": "ev_double_unescape",
	"r55": "dis_no_message",
	"r56": "mt_pct",
	"r57": "mt_dry",
	"r58": "auth_fold",
	"r59": "ex_quality_trunc",
	"r60": "gd_prefix",
	"f01": "env_only_touched",
	"f02": "env_single_production",
	"f03": "ver_default_string",
	"f04": "ver_lazy_rules",
	"f05": "ver_prev_first",
	"f06": "dis_data_array",
	"f07": "dis_pass_fraction",
	"f08": "arc_raw_path",
	"f09": "arc_purges_history",
	"f10": "gp_tags_merge",
	"f11": "gp_status_flip",
	"f12": "gp_rename_id",
	"f13": "gp_creator_clears",
	"f14": "gd_message",
	"f15": "gd_toggle",
	"f16": "ex_days_week",
	"f17": "ex_cohort_wired",
	"f18": "ex_ci_range",
	"f19": "ex_quality_default_score",
	"f20": "ex_other_metrics",
	"f21": "ex_size_round",
	"f22": "eg_trim",
	"f23": "eg_scalar_ok",
	"f24": "qe_append_mapping",
	"f25": "qe_dry_no_validation",
	"f26": "qe_skip_false",
	"f27": "qe_noop_by_sql",
	"f28": "ql_zero_based",
	"f29": "ql_shared_view",
	"f30": "mt_no_default",
	"f31": "mt_rollup_nested",
	"f32": "mt_dry_reserve",
	"f33": "sg_items_per_page",
	"f34": "sg_rules_array",
	"f35": "pv_desc_255",
	"f36": "pv_id_path",
	"f37": "em_inner_join",
	"f38": "ev_value_number",
	"f39": "ev_shared_state",
	"f40": "auth_cached",
}

var active string

func selectRegression(id string) error {
	if id == "" {
		return nil
	}
	slug, ok := regressions[id]
	if !ok {
		return fmt.Errorf("unknown regression %q", id)
	}
	active = slug
	return nil
}

// bug reports whether the named regression is active.
func bug(slug string) bool { return active == slug }
