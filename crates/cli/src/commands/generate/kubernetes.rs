//! `fathom generate kubernetes`: what a cluster needs to measure a storage class from many pods.
//!
//! A headless Service gives the first pod a name, a Secret holds what the members share, and an
//! Indexed Job numbers them and gives each a volume of its own that goes with its pod. All of it
//! is admitted in a namespace with the Pod Security standard "restricted".

use super::yaml;
use crate::args::{self, Command, KubernetesArgs};
use crate::commands::selection;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::{EngineKind, Nanos};
use serde_json::{Map, Value, json};
use std::path::{Component, Path};

/// Where the volume under test is.
const DATA: &str = "/data";
/// Where the secret is.
const SECRET: &str = "/run/fathom";
/// Where temporary files and the history are.
const TMP: &str = "/tmp";
/// Where results go, if they leave by a volume.
const RESULTS: &str = "/results";
/// Where the coordinator listens.
const PORT: u16 = 7711;
/// User and group of the pods: those of images without root.
const USER: u32 = 65_532;
/// Join timeout: volumes are made and images are pulled meanwhile.
const JOIN_TIMEOUT: &str = "10m";

/// All objects, one document each.
pub(super) fn manifest(args: &KubernetesArgs, token: &str) -> String {
    let name = args.name.as_str();
    let labels = json!({"app.kubernetes.io/name": name});
    let metadata = json!({"name": name, "labels": labels});
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {
            "clusterIP": "None",
            // Members look for the first pod before it is ready.
            "publishNotReadyAddresses": true,
            "selector": labels,
            "ports": [{"name": "coordinator", "port": PORT}],
        },
    });
    let mut objects = vec![service];
    if args.secret.is_none() {
        objects.push(json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "stringData": {"token": token},
        }));
    }
    if args.shared_volume {
        objects.push(json!({
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": metadata,
            "spec": claim(args, "ReadWriteMany"),
        }));
    }
    objects.push(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata,
        "spec": job(args, &labels),
    }));
    objects.iter().map(yaml::document).collect()
}

fn job(args: &KubernetesArgs, labels: &Value) -> Value {
    json!({
        "completionMode": "Indexed",
        "completions": args.members,
        "parallelism": args.members,
        // A pod that is started again would be a member that comes too late. The others go on.
        "backoffLimitPerIndex": 0,
        "podFailurePolicy": {"rules": [
            // A command line that one pod refuses is refused by all.
            {
                "action": "FailJob",
                "onExitCodes": {
                    "containerName": "fathom",
                    "operator": "In",
                    "values": [Exit::Usage.number()],
                },
            },
            // Eviction and drain count as a failure of the member, and the others finish.
            {
                "action": "FailIndex",
                "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
            },
        ]},
        "activeDeadlineSeconds": whole_seconds(args.deadline),
        "ttlSecondsAfterFinished": whole_seconds(args.keep),
        "template": {
            "metadata": {"labels": labels},
            "spec": pod(args, labels),
        },
    })
}

fn pod(args: &KubernetesArgs, labels: &Value) -> Value {
    let seccomp = match &args.io_uring {
        Some(profile) => json!({"type": "Localhost", "localhostProfile": profile}),
        None => json!({"type": "RuntimeDefault"}),
    };
    let mut pod = json!({
        "subdomain": args.name,
        "restartPolicy": "Never",
        "automountServiceAccountToken": false,
        "enableServiceLinks": false,
        "topologySpreadConstraints": [{
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "DoNotSchedule",
            // A node that takes no pods is not waited for.
            "nodeTaintsPolicy": "Honor",
            "labelSelector": {"matchLabels": labels},
        }],
        "securityContext": {
            "runAsNonRoot": true,
            "runAsUser": USER,
            "runAsGroup": USER,
            // The group of new volumes and of the secret.
            "fsGroup": USER,
            // The default, Always, changes all files of an existing claim at each mount.
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": seccomp,
        },
        "containers": [container(args)],
        "volumes": volumes(args),
    });
    if !args.node_selector.is_empty() {
        let labels = args.node_selector.iter();
        pod["nodeSelector"] = labels
            .map(|label| (label.key.clone(), Value::from(label.value.as_str())))
            .collect::<Map<_, _>>()
            .into();
    }
    if !args.toleration.is_empty() {
        pod["tolerations"] = args.toleration.iter().map(toleration).collect();
    }
    pod
}

fn toleration(toleration: &args::Toleration) -> Value {
    let mut value = match &toleration.value {
        Some(value) => json!({"operator": "Equal", "value": value}),
        None => json!({"operator": "Exists"}),
    };
    value["key"] = toleration.key.as_str().into();
    if let Some(effect) = &toleration.effect {
        value["effect"] = effect.as_str().into();
    }
    value
}

fn container(args: &KubernetesArgs) -> Value {
    let mut mounts = vec![
        json!({"name": "data", "mountPath": DATA}),
        json!({"name": "secret", "mountPath": SECRET, "readOnly": true}),
        json!({"name": "tmp", "mountPath": TMP}),
    ];
    if args.results_claim.is_some() {
        mounts.push(json!({"name": "results", "mountPath": RESULTS}));
    }
    json!({
        "name": "fathom",
        "image": args.image,
        "args": words(args),
        "env": [{"name": "FATHOM_STORE", "value": format!("{TMP}/history.db")}],
        "ports": [{"containerPort": PORT}],
        "resources": {
            "requests": {"cpu": args.cpu, "memory": args.memory},
            "limits": {"memory": args.memory},
        },
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": true,
        },
        "volumeMounts": mounts,
    })
}

fn volumes(args: &KubernetesArgs) -> Vec<Value> {
    let shared = args.claim.as_ref();
    let shared = shared.or(args.shared_volume.then_some(&args.name));
    let data = match shared {
        Some(name) => json!({"name": "data", "persistentVolumeClaim": {"claimName": name}}),
        None => json!({
            "name": "data",
            "ephemeral": {"volumeClaimTemplate": {"spec": claim(args, "ReadWriteOnce")}},
        }),
    };
    let secret = args.secret.as_ref().unwrap_or(&args.name);
    let mut volumes = vec![
        data,
        // Read by the group, because the file is root's.
        json!({"name": "secret", "secret": {"secretName": secret, "defaultMode": 0o440}}),
        json!({"name": "tmp", "emptyDir": {"sizeLimit": "64Mi"}}),
    ];
    if let Some(name) = &args.results_claim {
        volumes.push(json!({"name": "results", "persistentVolumeClaim": {"claimName": name}}));
    }
    volumes
}

fn claim(args: &KubernetesArgs, access: &str) -> Value {
    json!({
        "accessModes": [access],
        "storageClassName": args.storage_class,
        "resources": {"requests": {"storage": args.volume}},
    })
}

/// Whole seconds, at least one.
fn whole_seconds(duration: Nanos) -> u64 {
    (duration.0 / Nanos::from_secs(1).0).max(1)
}

/// Refuses words after `--` that would fail in the pods.
pub(super) fn check(args: &KubernetesArgs) -> Result<(), Problem> {
    let unusable = |cause: String| {
        let thing = "the words after -- are not a workload and options of fathom run";
        Problem::new(Exit::Usage, thing).because(cause)
    };
    let Command::Run(run) = args::parse_within(&words(args)).map_err(unusable)? else {
        return Err(unusable("they are another command".to_owned()));
    };
    if run.target.len() > 1 {
        let cause = format!("the target is the volume of each pod, {DATA}");
        return Err(unusable(cause).remedy("leave --target out"));
    }
    refuse_own(args).map_err(|(cause, remedy)| unusable(cause).remedy(remedy))?;
    if !run.options.engine.engine.is_real() {
        let cause = "a simulation does not measure the volume";
        return Err(unusable(cause.to_owned()).remedy("leave --engine out"));
    }
    let outputs = run.options.output.output.iter();
    let outputs = outputs.filter_map(|output| output.file.as_deref());
    let mut files = outputs.chain(run.options.save.store.store.as_deref());
    if let Some(file) = files.find(|file| !is_writable(args, file)) {
        let cause = format!("the pods cannot write {}", file.display());
        let remedy = "use a file in /data, in /tmp or, with --results-claim, in /results";
        return Err(unusable(cause).remedy(remedy));
    }
    let needs_profile = run.options.engine.engine.0 == Some(EngineKind::IoUring);
    if needs_profile && args.io_uring.is_none() {
        let cause = "the seccomp profile of the pods, RuntimeDefault, refuses io_uring";
        let remedy = "--io-uring SECCOMP before --, with a profile of the nodes that permits it";
        return Err(unusable(cause.to_owned()).remedy(remedy));
    }
    for name in &run.workloads {
        if selection::is_file_name(name) {
            let cause = format!("the pods do not have the file {name}");
            return Err(unusable(cause).remedy("use a profile of `fathom profiles`"));
        }
        selection::profile(name)?;
    }
    Ok(())
}

/// Refuses options that the manifest sets itself: its own come last and would win.
fn refuse_own(args: &KubernetesArgs) -> Result<(), (String, &'static str)> {
    let alone: Vec<String> = ["run".to_owned()]
        .into_iter()
        .chain(args.run.clone())
        .collect();
    // What cannot be parsed without the others is refused with them.
    let Ok(Command::Run(run)) = args::parse_within(&alone) else {
        return Ok(());
    };
    let cluster = &run.options.cluster;
    let given = [
        (
            "--members",
            cluster.members.is_some(),
            "use --members before --",
        ),
        ("--rendezvous", cluster.rendezvous.is_some(), "leave it out"),
        (
            "--token-file",
            cluster.token_file.is_some(),
            "use --secret before --",
        ),
    ];
    match given.into_iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, remedy)) => Err((format!("the manifest sets {option} itself"), remedy)),
        None => Ok(()),
    }
}

/// Whether pods can write a file: the root file system is read-only.
fn is_writable(args: &KubernetesArgs, file: &Path) -> bool {
    let is_below = |folder: &str| file.starts_with(folder) && file != Path::new(folder);
    let goes_up = file.components().any(|part| part == Component::ParentDir);
    let has_results = args.results_claim.is_some();
    let is_known = is_below(DATA) || is_below(TMP) || (has_results && is_below(RESULTS));
    is_known && !goes_up
}

fn words(args: &KubernetesArgs) -> Vec<String> {
    let engine = match args.io_uring {
        Some(_) => EngineKind::IoUring,
        None => EngineKind::Libaio,
    };
    // The user's words come later and win.
    let ours = [
        "run",
        "--engine",
        engine.name(),
        "--join-timeout",
        JOIN_TIMEOUT,
    ];
    let mut words: Vec<String> = ours.map(str::to_owned).into();
    words.extend(args.run.iter().cloned());
    let own = [
        ("--target", DATA.to_owned()),
        ("--members", args.members.to_string()),
        ("--rendezvous", format!("{0}-0.{0}:{PORT}", args.name)),
        ("--token-file", format!("{SECRET}/token")),
    ];
    words.push("--launched".to_owned());
    for (option, value) in own {
        words.extend([option.to_owned(), value]);
    }
    if args.results_claim.is_some() {
        words.extend([
            "--output".to_owned(),
            format!("json:{RESULTS}/{}-{{name}}.json", args.name),
        ]);
    }
    words
}
