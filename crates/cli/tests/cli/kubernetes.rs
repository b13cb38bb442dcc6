//! `fathom generate kubernetes`.

use crate::command::Cli;
use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

const FIXED: &str = "generate kubernetes --image fathom:1";

fn value(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Hash(fields) => {
            let key = |key: &Yaml| key.as_str().expect("a name").to_owned();
            let fields = fields.iter().map(|(name, inner)| (key(name), value(inner)));
            Value::Object(fields.collect())
        }
        Yaml::Array(items) => items.iter().map(value).collect(),
        Yaml::String(text) => json!(text),
        Yaml::Integer(number) => json!(number),
        Yaml::Boolean(is) => json!(is),
        other => panic!("{other:?} is of no use here"),
    }
}

/// The documents that `words` make.
pub(crate) fn documents(words: &str) -> Vec<Value> {
    let words = format!("{FIXED} {words}");
    let text = Cli::line(words).stdout();
    assert_eq!(
        text.matches("---\n").count(),
        text.matches("\nkind: ").count()
    );
    parse(&text)
}

pub(crate) fn parse(text: &str) -> Vec<Value> {
    let documents = YamlLoader::load_from_str(text).expect("YAML");
    documents.iter().map(value).collect()
}

fn kinds(documents: &[Value]) -> Vec<&Value> {
    documents.iter().map(|document| &document["kind"]).collect()
}

/// The sources of volumes that the standard permits.
const SOURCES: [&str; 8] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
];

/// What the Pod Security standard "restricted" (Kubernetes 1.35) refuses in a pod, each field by
/// itself: <https://kubernetes.io/docs/concepts/security/pod-security-standards>.
fn refused(pod: &Value) -> Vec<&'static str> {
    let context = &pod["securityContext"];
    let lacks = |keys: &[&str], of: &Value| keys.iter().all(|key| of[key].is_null());
    let volumes = pod["volumes"].as_array().expect("volumes").iter();
    let sources = volumes.flat_map(|it| it.as_object().expect("a volume").keys());
    let mut sources = sources.filter(|key| *key != "name");
    let seccomp = ["RuntimeDefault", "Localhost"].map(Value::from);
    let others = ["initContainers", "ephemeralContainers"];
    let rows = [
        (
            "host namespaces",
            lacks(&["hostNetwork", "hostPID", "hostIPC"], pod),
        ),
        ("host process", lacks(&["windowsOptions"], context)),
        (
            "volume types",
            sources.all(|source| SOURCES.contains(&source.as_str())),
        ),
        ("AppArmor", lacks(&["appArmorProfile"], context)),
        ("SELinux", lacks(&["seLinuxOptions"], context)),
        ("sysctls", lacks(&["sysctls"], context)),
        (
            "seccomp",
            seccomp.contains(&context["seccompProfile"]["type"]),
        ),
        ("runs as root", context["runAsNonRoot"] == true),
        (
            "user 0",
            context["runAsUser"].as_u64().is_some_and(|user| user != 0),
        ),
        ("other containers", lacks(&others, pod)),
    ];
    let of_pod = rows
        .into_iter()
        .filter(|(_, holds)| !holds)
        .map(|(field, _)| field);
    let containers = pod["containers"].as_array().expect("containers").iter();
    of_pod
        .chain(containers.flat_map(refused_of_container))
        .collect()
}

fn refused_of_container(container: &Value) -> Vec<&'static str> {
    let context = &container["securityContext"];
    let lacks = |key: &str| context[key].is_null();
    let mut ports = container["ports"].as_array().into_iter().flatten();
    let probes = [
        "livenessProbe",
        "readinessProbe",
        "startupProbe",
        "lifecycle",
    ];
    let capabilities = &context["capabilities"];
    let rows = [
        ("host ports", ports.all(|port| port["hostPort"].is_null())),
        (
            "host probes",
            probes.iter().all(|key| container[key].is_null()),
        ),
        ("privileged", context["privileged"] != true),
        ("capabilities added", capabilities["add"].is_null()),
        (
            "capabilities not dropped",
            capabilities["drop"] == json!(["ALL"]),
        ),
        (
            "privilege escalation",
            context["allowPrivilegeEscalation"] == false,
        ),
        ("proc mount", lacks("procMount")),
        ("host process of the container", lacks("windowsOptions")),
        ("AppArmor of the container", lacks("appArmorProfile")),
        ("SELinux of the container", lacks("seLinuxOptions")),
        ("seccomp of the container", lacks("seccompProfile")),
        (
            "root in the container",
            lacks("runAsNonRoot") && lacks("runAsUser"),
        ),
    ];
    let refused = rows.into_iter().filter(|(_, holds)| !holds);
    refused.map(|(field, _)| field).collect()
}

#[test]
fn a_service_a_secret_and_a_job() {
    let documents = documents("--storage-class fast --members 3 -- pg-oltp --time 60s");
    assert_eq!(kinds(&documents), ["Service", "Secret", "Job"]);
    let spec = &documents[2]["spec"];
    let pod = &spec["template"]["spec"];
    // The first pod is found by a label that the pods have of themselves, not of their Job.
    let labels = &spec["template"]["metadata"]["labels"];
    assert_eq!(documents[0]["spec"]["selector"], *labels);
    let expected = "run --engine libaio --join-timeout 10m pg-oltp --time 60s --launched --target \
                    /data --members 3 --rendezvous fathom-0.fathom:7711 --token-file \
                    /run/fathom/token";
    let expected: Vec<&str> = expected.split(' ').collect();
    assert_eq!(pod["containers"][0]["args"], json!(expected));
    let token = documents[1]["stringData"]["token"]
        .as_str()
        .expect("a secret");
    assert_eq!(token.len(), 64);
    let volume = json!({"name": "data", "ephemeral": {"volumeClaimTemplate": {"spec": {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "fast",
        "resources": {"requests": {"storage": "20Gi"}},
    }}}});
    assert_eq!(pod["volumes"][0], volume);
}

/// With any options, and the check itself finds what it should.
#[test]
fn pods_are_admitted_as_restricted() {
    let cases = [
        "--storage-class fast -- pg-oltp",
        "--storage-class fast --shared-volume --secret kept --io-uring profiles/io_uring.json -- \
         pg-oltp",
        "--claim lustre --results-claim results --node-selector disk=nvme --toleration storage -- \
         pg-oltp",
    ];
    for words in cases {
        let mut documents = documents(words);
        let job = documents.pop().expect("a job");
        let mut pod = job["spec"]["template"]["spec"].clone();
        assert_eq!(refused(&pod), Vec::<&str>::new(), "{words}");
        let more = [
            (pod["automountServiceAccountToken"].take(), json!(false)),
            (
                pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"].take(),
                json!(true),
            ),
        ];
        for (found, expected) in more {
            assert_eq!(found, expected, "{words}");
        }
        pod["containers"][0]["securityContext"] = json!({"privileged": true});
        pod["securityContext"]["seccompProfile"]["type"] = json!("Unconfined");
        let expected = [
            "seccomp",
            "privileged",
            "capabilities not dropped",
            "privilege escalation",
        ];
        assert_eq!(refused(&pod), expected);
    }
}

/// A lost member fails by itself, and what every pod would refuse ends all of them.
#[test]
fn one_pod_fails_without_the_others() {
    let documents = documents("--storage-class fast --deadline 2h --keep 30m -- pg-oltp");
    let spec = &documents[2]["spec"];
    let expected = json!([
        {
            "action": "FailJob",
            "onExitCodes": {"containerName": "fathom", "operator": "In", "values": [2]},
        },
        {
            "action": "FailIndex",
            "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
        },
    ]);
    assert_eq!(spec["podFailurePolicy"]["rules"], expected);
    let numbers = [
        "backoffLimitPerIndex",
        "activeDeadlineSeconds",
        "ttlSecondsAfterFinished",
    ];
    assert_eq!(
        numbers.map(|key| spec[key].as_u64()),
        [Some(0), Some(7200), Some(1800)]
    );
    // A limit of the whole Job would end the rest with the first that fails.
    assert!(spec["backoffLimit"].is_null());
    let pod = &spec["template"]["spec"];
    assert_eq!(pod["restartPolicy"], "Never");
}

#[test]
fn pods_are_spread_over_the_nodes_that_are_chosen() {
    let words = "--storage-class fast --cpu 500m --memory 2Gi --node-selector disk=nvme \
                 --toleration storage=only:NoSchedule --toleration spot -- pg-oltp";
    let documents = documents(words);
    let pod = &documents[2]["spec"]["template"]["spec"];
    let spread = json!([{
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "DoNotSchedule",
        "nodeTaintsPolicy": "Honor",
        "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "fathom"}},
    }]);
    assert_eq!(pod["topologySpreadConstraints"], spread);
    assert_eq!(pod["nodeSelector"], json!({"disk": "nvme"}));
    let tolerations = json!([
        {"key": "storage", "operator": "Equal", "value": "only", "effect": "NoSchedule"},
        {"key": "spot", "operator": "Exists"},
    ]);
    assert_eq!(pod["tolerations"], tolerations);
    let resources = json!({
        "requests": {"cpu": "500m", "memory": "2Gi"},
        "limits": {"memory": "2Gi"},
    });
    assert_eq!(pod["containers"][0]["resources"], resources);
}

/// One claim for all pods, new or existing; a secret by its name; results on a claim.
#[test]
fn what_exists_is_named_and_not_made() {
    let made = documents("--storage-class nfs --shared-volume --name many -- pg-oltp");
    assert_eq!(
        kinds(&made),
        ["Service", "Secret", "PersistentVolumeClaim", "Job"]
    );
    assert_eq!(made[2]["spec"]["accessModes"], json!(["ReadWriteMany"]));
    let volumes = &made[3]["spec"]["template"]["spec"]["volumes"];
    let expected = json!({"name": "data", "persistentVolumeClaim": {"claimName": "many"}});
    assert_eq!(volumes[0], expected);
    let named = documents("--claim lustre --secret kept --results-claim results -- pg-oltp");
    assert_eq!(kinds(&named), ["Service", "Job"]);
    let pod = &named[1]["spec"]["template"]["spec"];
    let expected = json!([
        {"name": "data", "persistentVolumeClaim": {"claimName": "lustre"}},
        {"name": "secret", "secret": {"secretName": "kept", "defaultMode": 0o440}},
        {"name": "tmp", "emptyDir": {"sizeLimit": "64Mi"}},
        {"name": "results", "persistentVolumeClaim": {"claimName": "results"}},
    ]);
    assert_eq!(pod["volumes"], expected);
    // The secret is read by this group; files of a claim with that group already are not changed.
    let context = json!({
        "runAsNonRoot": true,
        "runAsUser": 65532,
        "runAsGroup": 65532,
        "fsGroup": 65532,
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": {"type": "RuntimeDefault"},
    });
    assert_eq!(pod["securityContext"], context);
    let words = pod["containers"][0]["args"].as_array().expect("words");
    assert_eq!(
        words[words.len() - 2..],
        ["--output", "json:/results/fathom-{name}.json"]
    );
}

#[test]
fn io_uring_needs_a_profile_that_permits_it() {
    let documents = documents("--storage-class fast --io-uring profiles/io_uring.json -- pg-oltp");
    let pod = &documents[2]["spec"]["template"]["spec"];
    let seccomp = json!({"type": "Localhost", "localhostProfile": "profiles/io_uring.json"});
    assert_eq!(pod["securityContext"]["seccompProfile"], seccomp);
    assert_eq!(pod["containers"][0]["args"][2], "io_uring");
}

/// What would fail in every pod is refused before there are pods.
#[test]
fn words_that_fail_in_a_pod_make_no_manifest() {
    let thing = "error: the words after -- are not a workload and options of fathom run";
    let cases = [
        (
            "no-such-profile",
            "error: there is no profile `no-such-profile`
  try:     `fathom profiles` lists them; a file ends in .toml or has a slash
"
            .to_owned(),
        ),
        (
            "pg-oltp --target /other",
            format!(
                "{thing}\n  because: the target is the volume of each pod, /data\n  try:     leave \
                 --target out\n"
            ),
        ),
        (
            "pg-oltp --engine io_uring",
            format!(
                "{thing}\n  because: the seccomp profile of the pods, RuntimeDefault, refuses \
                 io_uring\n  try:     --io-uring SECCOMP before --, with a profile of the nodes \
                 that permits it\n"
            ),
        ),
        (
            "pg-oltp --duration 60s",
            format!("{thing}\n  because: unexpected argument '--duration' found\n"),
        ),
        (
            "load.toml",
            format!(
                "{thing}\n  because: the pods do not have the file load.toml\n  try:     use a \
                 profile of `fathom profiles`\n"
            ),
        ),
    ];
    for (words, expected) in cases {
        let words = format!("{FIXED} --storage-class fast -- {words}");
        Cli::line(words).check(2, "", &expected);
    }
}

/// Options that the manifest sets, a simulation, and files that the pods cannot write.
#[test]
fn options_that_a_pod_would_lose_or_refuse_make_no_manifest() {
    let own = "the manifest sets";
    let place = "use a file in /data, in /tmp or, with --results-claim, in /results";
    let cases = [
        (
            "--members 3",
            format!("{own} --members itself"),
            "use --members before --",
        ),
        (
            "--rendezvous a:1",
            format!("{own} --rendezvous itself"),
            "leave it out",
        ),
        (
            "--token-file /x",
            format!("{own} --token-file itself"),
            "use --secret before --",
        ),
        (
            "--engine sim",
            "a simulation does not measure the volume".to_owned(),
            "leave --engine out",
        ),
        (
            "-o json:/x.json",
            "the pods cannot write /x.json".to_owned(),
            place,
        ),
        (
            "-o json:x.json",
            "the pods cannot write x.json".to_owned(),
            place,
        ),
        (
            "--store /tmp/../x",
            "the pods cannot write /tmp/../x".to_owned(),
            place,
        ),
        (
            "-o /results/x.json",
            "the pods cannot write /results/x.json".to_owned(),
            place,
        ),
    ];
    for (words, cause, remedy) in cases {
        let words = format!("{FIXED} --storage-class fast -- pg-oltp {words}");
        let stderr = format!(
            "error: the words after -- are not a workload and options of fathom run\n  because: \
             {cause}\n  try:     {remedy}\n"
        );
        Cli::line(words).check(2, "", &stderr);
    }
    let written = "--storage-class fast --results-claim results -- pg-oltp --store /tmp/h.db -o \
                   json:/results/x.json -o html:/data/x.html -o text:-";
    assert_eq!(kinds(&documents(written)), ["Service", "Secret", "Job"]);
}

/// Names and quantities that the cluster would refuse.
#[test]
fn values_that_kubernetes_refuses_make_no_manifest() {
    let profile = "expected a path below the folder of seccomp profiles, such as \
                   profiles/io_uring.json";
    let processors = "expected processors in steps of 1m, such as 500m or 2";
    let cases = [
        (
            "--name Fathom",
            "--name <NAME>",
            "expected a lower-case letter and then at most 56 of a-z, 0-9 and -",
        ),
        (
            "--name a.b",
            "--name <NAME>",
            "expected a name without a dot",
        ),
        (
            "--volume 20GB",
            "--volume <QUANTITY>",
            "expected a quantity of Kubernetes, such as 500m, 2 or 20Gi",
        ),
        (
            "--secret _",
            "--secret <NAME>",
            "expected a-z, 0-9, - and ., with a letter or digit at each end",
        ),
        (
            "--node-selector disk",
            "--node-selector <KEY=VALUE>",
            "expected KEY=VALUE",
        ),
        (
            "--node-selector a$b=c",
            "--node-selector <KEY=VALUE>",
            "expected KEY=VALUE, a label of Kubernetes",
        ),
        (
            "--toleration -a",
            "--toleration <KEY[=VALUE][:EFFECT]>",
            "expected KEY[=VALUE][:EFFECT], a taint of Kubernetes",
        ),
        ("--io-uring ", "--io-uring <SECCOMP>", profile),
        ("--io-uring /x.json", "--io-uring <SECCOMP>", profile),
        ("--io-uring a/../x", "--io-uring <SECCOMP>", profile),
        (
            "--image ",
            "--image <IMAGE>",
            "expected the name of an image, without spaces",
        ),
        ("--cpu 0.0001m", "--cpu <QUANTITY>", processors),
        ("--cpu 1.5m", "--cpu <QUANTITY>", processors),
        ("--cpu 1Ki", "--cpu <QUANTITY>", processors),
        (
            "--toleration a:Never",
            "--toleration <KEY[=VALUE][:EFFECT]>",
            "the effect is one of NoSchedule, PreferNoSchedule, NoExecute",
        ),
    ];
    for (words, option, cause) in cases {
        let given = words.split(' ').next_back().expect("a value");
        let words = words.replacen(' ', "=", 1);
        let words = format!("{FIXED} --storage-class fast {words} -- pg-oltp");
        let stderr = format!(
            "error: invalid value '{given}' for '{option}': {cause}\n  try:     `fathom generate \
             kubernetes --help`\n"
        );
        Cli::line(words).check(2, "", &stderr);
    }
}
