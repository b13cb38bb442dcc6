//! `fathom generate kubernetes`: what a cluster needs to measure a storage class from many pods.
//!
//! A headless Service gives the first pod a name, a Secret holds what the members share, and an
//! Indexed Job numbers them and gives each a volume of its own that goes with its pod. It is JSON,
//! which kubectl reads as it reads YAML.

use crate::args::{self, Command, KubernetesArgs};
use crate::commands::selection;
use crate::error::Problem;
use crate::exit::Exit;
use serde_json::{Value, json};

/// Where the volume under test is.
const DATA: &str = "/data";
/// Where the secret is.
const SECRET: &str = "/run/fathom";
/// Where the coordinator listens.
const PORT: u16 = 7711;

/// All objects, as one list.
pub(super) fn manifest(args: &KubernetesArgs, token: &str) -> Value {
    let name = args.name.as_str();
    let labels = json!({"app.kubernetes.io/name": name});
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "clusterIP": "None",
            // Members look for the first pod before it is ready.
            "publishNotReadyAddresses": true,
            // The pods' own label: those that a Job gives its pods are named otherwise before 1.27.
            "selector": labels,
            "ports": [{"name": "coordinator", "port": PORT}],
        },
    });
    let secret = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "labels": labels},
        "stringData": {"token": token},
    });
    let job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "completionMode": "Indexed",
            "completions": args.members,
            "parallelism": args.members,
            // A pod that is started again would be a member that comes too late.
            "backoffLimit": 0,
            "template": {
                "metadata": {"labels": labels},
                "spec": pod(args, &labels),
            },
        },
    });
    json!({"apiVersion": "v1", "kind": "List", "items": [service, secret, job]})
}

fn pod(args: &KubernetesArgs, labels: &Value) -> Value {
    let name = args.name.as_str();
    json!({
        "subdomain": name,
        "restartPolicy": "Never",
        "topologySpreadConstraints": [{
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": labels},
        }],
        // The usual profile refuses io_uring.
        "securityContext": {"seccompProfile": {"type": "Unconfined"}},
        "containers": [{
            "name": "fathom",
            "image": args.image,
            "args": words(args),
            "ports": [{"containerPort": PORT}],
            "volumeMounts": [
                {"name": "data", "mountPath": DATA},
                {"name": "secret", "mountPath": SECRET, "readOnly": true},
            ],
        }],
        "volumes": [
            {"name": "secret", "secret": {"secretName": name, "defaultMode": 0o400}},
            {
                "name": "data",
                "ephemeral": {"volumeClaimTemplate": {"spec": {
                    "accessModes": ["ReadWriteOnce"],
                    "storageClassName": args.storage_class,
                    "resources": {"requests": {"storage": args.volume}},
                }}},
            },
        ],
    })
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
    for name in &run.workloads {
        if selection::is_file_name(name) {
            let cause = format!("the pods do not have the file {name}");
            return Err(unusable(cause).remedy("use a profile of `fathom profiles`"));
        }
        selection::profile(name)?;
    }
    Ok(())
}

fn words(args: &KubernetesArgs) -> Vec<String> {
    let mut words = vec!["run".to_owned()];
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
    words
}
