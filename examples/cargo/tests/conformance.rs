//! Each endpoint of your server as a test of `cargo test`: CONFORM names the bundle, SERVER what starts your server.
use std::{env, fs, net::TcpStream, os::unix::process::CommandExt, process::Command, sync::OnceLock, thread, time::Duration};

fn var(name: &str, otherwise: &str) -> String {
    env::var(name).unwrap_or_else(|_| otherwise.to_string())
}

/// The JUnit file of one run, which all tests share.
fn report() -> &'static str {
    static REPORT: OnceLock<String> = OnceLock::new();
    REPORT.get_or_init(|| {
        let url = var("BASE_URL", "http://127.0.0.1:8080");
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_string();
        let out = env::temp_dir().join(format!("conform-{}", std::process::id()));
        let mut server = Command::new("sh").args(["-c", &var("SERVER", "")]).process_group(0).spawn().unwrap();
        let is_up = (0..300).any(|_| TcpStream::connect(&address).is_ok() || { thread::sleep(Duration::from_millis(100)); false });
        let mut run = Command::new("node");
        run.arg(var("CONFORM", "conform.mjs")).args(["run", "--base-url", &url, "--profile", "quick", "--out"]).arg(&out);
        if let Ok(config) = env::var("CONFIG") { run.args(["--config", &config]); }
        let ended = run.env("SERVICE_API_KEY", var("SERVICE_API_KEY", "reference-key")).output().unwrap();
        Command::new("kill").args(["-TERM", "--", &format!("-{}", server.id())]).status().unwrap();
        server.wait().unwrap();
        assert!(is_up, "the server does not answer");
        assert!(matches!(ended.status.code(), Some(0 | 1 | 3)), "the suite did not run: {}", String::from_utf8_lossy(&ended.stderr));
        let text = fs::read_to_string(out.join("junit.xml")).unwrap();
        fs::remove_dir_all(out).unwrap();
        text
    })
}

fn judge(endpoint: &str) {
    let suite = report().split("<testsuite ").find(|suite| suite.contains(&format!("name=\"{endpoint}"))).expect("was not run");
    let failures: Vec<&str> = suite.split("<failure ").skip(1).map(|one| one.split('>').next().unwrap()).collect();
    assert!(failures.is_empty(), "{endpoint}:\n{}", failures.join("\n"));
}

macro_rules! endpoints { ($($name:ident)*) => { $(#[test] fn $name() { judge(&stringify!($name).replace('_', "-")) })* } }

endpoints! {
    update_environments list_config_versions update_qualifying_event update_experiment disable_config patch_gate disable_gate enable_groups
    create_metric archive_config list_qualifying_events list_segments create_prompt_version list_event_metrics list_events
}
