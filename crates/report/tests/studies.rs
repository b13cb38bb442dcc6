//! The pictures of `docs/studies`: computed from the models, and compared with the files. To write
//! them anew: `FATHOM_WRITE_PICTURES=1 cargo test -p fathom-report --test studies`.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![expect(
    clippy::unwrap_used,
    reason = "a study that cannot be computed fails the test"
)]

use fathom_core::{Nanos, Op};
use fathom_report::picture::{Axis, Picture, PictureLine, Scale};
use fathom_report::picture_file;
use fathom_volume::layout::{Layout, Options};
use fathom_volume::models::ServiceLaw;
use fathom_volume::plan::{ANY_MACHINE, Figures, Market, Need, Scope, Wish, sweep};
use fathom_volume::{Catalog, Demand, Flow, FlowKind, System, VolumeModel as _};
use std::path::Path;

/// Size, mix and day of a study.
struct Study {
    at: &'static str,
    region: &'static str,
    reads: f64,
}

const EC2: Study = Study {
    at: "2018-11-01",
    region: "eu-west-1",
    reads: 0.7,
};

impl Study {
    fn flow(&self, bytes: f64) -> Flow {
        let kind = |op, weight| FlowKind {
            op,
            bytes,
            sequential: 0.0,
            together: 1.0,
            weight,
        };
        Flow {
            kinds: vec![
                kind(Op::Read, self.reads),
                kind(Op::Write, 1.0 - self.reads),
            ],
        }
    }

    fn need(&self, bytes: f64, iops: Option<f64>) -> Need {
        let wish = Wish {
            flow: Some(self.flow(bytes)),
            iops,
            ..Wish::default()
        };
        wish.resolve().unwrap()
    }

    fn market<'a>(&self, catalog: &'a Catalog) -> Market<'a> {
        Market {
            catalog,
            at: self.at.parse().unwrap(),
            region: Some(self.region),
            instance: None,
            cloud: None,
            max_volumes: 8,
            wanted: &ANY_MACHINE,
            scope: Scope::Disks,
            terms: &fathom_volume::catalog::LIST_PRICES,
        }
    }

    fn system(&self, catalog: &Catalog, layout: &str, instance: Option<&str>) -> System {
        let at = self.at.parse().unwrap();
        let options = Options {
            instance: instance.map(|name| catalog.instance(name, None, at).unwrap()),
            service: Some(ServiceLaw::Constant(0.0)),
            ..Options::default()
        };
        let layout: Layout = layout.parse().unwrap();
        layout.build(catalog, at, &options).unwrap().system
    }
}

fn sizes(first: u32, last: u32, step: usize) -> Vec<f64> {
    (first..=last).step_by(step).map(f64::from).collect()
}

/// One gp2 against four, over their sizes: what lasts and what the burst gives.
fn gp2_by_size(catalog: &Catalog) -> Picture {
    let market = EC2.market(catalog);
    let need = EC2.need(4_096.0, None);
    let gp2 = catalog.volume("gp2", market.at).unwrap();
    let sizes = sizes(100, 14_000, 100);
    let mut lines = Vec::new();
    for (color, count) in [(0, 1), (1, 4)] {
        let found = sweep(gp2, count, &sizes, &need, &market);
        let name = if count == 1 {
            "one gp2"
        } else {
            "four gp2 striped"
        };
        let points = |burst: bool| {
            let points = found.points.iter();
            points
                .map(|point| (point.gib, if burst { point.burst_iops } else { point.iops }))
                .collect()
        };
        lines.push(PictureLine::new(
            format!("{name}, sustained"),
            color,
            points(false),
        ));
        lines.push(PictureLine::new(format!("{name}, burst"), color, points(true)).dashed());
    }
    Picture {
        title: "IOPS of gp2 by size in all, limits of November 2018".to_owned(),
        x: Axis::new("GiB in all", Scale::Linear),
        y: Axis::new("IOPS of 4 KiB", Scale::Linear),
        lines,
    }
}

/// 10,000 IOPS by price: gp2 alone and striped over sizes, io1 over ordered IOPS.
fn gp2_by_price(catalog: &Catalog) -> Picture {
    let market = EC2.market(catalog);
    let gp2 = catalog.volume("gp2", market.at).unwrap();
    let io1 = catalog.volume("io1", market.at).unwrap();
    let sizes = sizes(10, 14_000, 10);
    let need = EC2.need(4_096.0, None);
    let mut lines = Vec::new();
    for (color, count, name) in [(0, 1, "one gp2"), (1, 4, "four gp2")] {
        let found = sweep(gp2, count, &sizes, &need, &market);
        let points = |burst: bool| {
            let points = found.points.iter();
            points
                .map(|point| {
                    let iops = if burst { point.burst_iops } else { point.iops };
                    (point.price.unwrap(), iops)
                })
                .collect()
        };
        lines.push(PictureLine::new(
            format!("{name}, sustained"),
            color,
            points(false),
        ));
        lines.push(PictureLine::new(format!("{name}, burst"), color, points(true)).dashed());
    }
    let ordered: Vec<(f64, f64)> = (1..=20)
        .flat_map(|step| {
            let need = EC2.need(4_096.0, Some(f64::from(step) * 500.0));
            sweep(io1, 1, &[200.0], &need, &market).points
        })
        .map(|point| (point.price.unwrap(), point.iops))
        .collect();
    lines.push(PictureLine::new(
        "io1 of 200 GiB by ordered IOPS",
        2,
        ordered,
    ));
    Picture {
        title: "IOPS by list price, eu-west-1".to_owned(),
        x: Axis::new("USD a month", Scale::Log),
        y: Axis::new("IOPS of 4 KiB", Scale::Log),
        lines,
    }
}

/// What a load gets over time, in minutes.
fn course(system: &System, flow: &Flow, iops: f64, minutes: u64, bytes: bool) -> Vec<(f64, f64)> {
    let demand = Demand {
        closed: flow.clone(),
        outstanding: 1e12,
        ..Demand::default()
    };
    let open = Demand {
        open: flow.clone(),
        open_iops: iops,
        ..Demand::default()
    };
    let demand = if iops > 0.0 { open } else { demand };
    let span = Nanos::from_secs(minutes * 60);
    let served = system.clone().serve(&demand, Nanos::ZERO, span);
    let scale = if bytes { flow.mean_bytes() / 1e6 } else { 1.0 };
    let mut points = Vec::new();
    for step in &served.steps {
        let (from, to) = (step.at.as_secs_f64(), (step.at + step.span).as_secs_f64());
        points.push((from / 60.0, step.iops() * scale));
        points.push((to / 60.0, step.iops() * scale));
    }
    points
}

/// $747.60 against $22 over three hours.
fn cheap_stripe_over_time(catalog: &Catalog) -> Picture {
    let flow = EC2.flow(4_096.0);
    let line = |label: &str, color, layout: &str| {
        let system = EC2.system(catalog, layout, None);
        PictureLine::new(label, color, course(&system, &flow, 10_000.0, 90, false))
    };
    Picture {
        title: "A load of 10,000 IOPS, from full buckets".to_owned(),
        x: Axis::new("minutes", Scale::Linear),
        y: Axis::new("IOPS of 4 KiB", Scale::Linear),
        lines: vec![
            line(
                "io1 of 200 GiB with 10,000 IOPS, 747.60 USD",
                2,
                "io1:200GiB:10000iops",
            ),
            line("four gp2 of 50 GiB, 22.00 USD", 1, "4x gp2:50GiB"),
        ],
    }
}

/// gp3 by block size: the bend where bytes begin to bind.
fn gp3_by_block_size(catalog: &Catalog) -> Picture {
    const GP3: Study = Study {
        at: "2023-06-01",
        region: "us-east-1",
        reads: 0.6,
    };
    let line = |label: &str, color, layout: &str| {
        let system = GP3.system(catalog, layout, None);
        let sizes = (0..=32).map(|step| 1_024.0 * 2_f64.powf(f64::from(step) / 4.0));
        let points = sizes.map(|bytes| {
            let figures = Figures::of(&system, &GP3.flow(bytes));
            (bytes / 1_024.0, figures.sustained_iops)
        });
        PictureLine::new(label, color, points.collect())
    };
    Picture {
        title: "IOPS of one gp3 by size of the requests, limits of June 2023".to_owned(),
        x: Axis::new("KiB of a request", Scale::Log),
        y: Axis::new("IOPS", Scale::Log),
        lines: vec![
            line(
                "16,000 IOPS, 125 MiB/s: bends at 8 KiB",
                0,
                "gp3:200GiB:16000iops",
            ),
            line(
                "16,000 IOPS, 1,000 MiB/s: at 64 KiB",
                1,
                "gp3:200GiB:16000iops:1000MiB/s",
            ),
            line("3,000 IOPS, 125 MiB/s: at 43 KiB", 2, "gp3:200GiB"),
        ],
    }
}

/// Eight P30 behind an E32s_v3: half an hour of what SAS needs.
fn sas_over_time(catalog: &Catalog) -> Picture {
    const AZURE: Study = Study {
        at: "2026-11-21",
        region: "eastus",
        reads: 0.7,
    };
    let flow = AZURE.flow(65_536.0);
    let line = |label: &str, color, layout: &str| {
        let system = AZURE.system(catalog, layout, Some("E32s_v3"));
        PictureLine::new(label, color, course(&system, &flow, 0.0, 60, true))
    };
    let need = PictureLine::new(
        "what SAS needs for 16 cores",
        4,
        vec![(0.0, 1_600.0), (60.0, 1_600.0)],
    );
    Picture {
        title: "MB/s of an E32s_v3 from full buckets".to_owned(),
        x: Axis::new("minutes", Scale::Linear),
        y: Axis::new("MB/s", Scale::Linear),
        lines: vec![
            line("8 x P30", 0, "8x P30"),
            line("4 x P30", 1, "4x P30"),
            need.dashed(),
        ],
    }
}

/// Disks on a bus: how much of their sum gets through.
fn proliant(catalog: &Catalog) -> Picture {
    let rate = |name: &str, lanes| catalog.link(name).unwrap().bytes_per_second(lanes) / 1e6;
    let line = |label: &str, color, disk: f64, bus: f64| {
        let points = (1..=16).map(|disks| (f64::from(disks), (f64::from(disks) * disk).min(bus)));
        PictureLine::new(label, color, points.collect())
    };
    let (slow, fast) = (rate("sas-3g", 1), rate("sas-6g", 1));
    let (first, second) = (rate("pcie1", 8), rate("pcie2", 8));
    Picture {
        title: "What disks at full rate get through a bus".to_owned(),
        x: Axis::new("disks", Scale::Linear),
        y: Axis::new("MB/s", Scale::Linear),
        lines: vec![
            line("3G disks, PCIe 2.0 x8", 0, slow, second),
            line("6G disks, PCIe 2.0 x8", 1, fast, second),
            line("3G disks, PCIe 1.0 x8", 0, slow, first).dashed(),
            line("6G disks, PCIe 1.0 x8", 1, fast, first).dashed(),
        ],
    }
}

#[test]
fn the_pictures_of_the_studies_are_those_of_the_models() {
    let catalog = Catalog::embedded();
    let pictures = [
        ("ec2-gp2-size", gp2_by_size(&catalog)),
        ("ec2-gp2-price", gp2_by_price(&catalog)),
        ("ec2-gp2-time", cheap_stripe_over_time(&catalog)),
        ("gp3-block-size", gp3_by_block_size(&catalog)),
        ("azure-sas-time", sas_over_time(&catalog)),
        ("proliant-bus", proliant(&catalog)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies/pictures");
    for (name, picture) in pictures {
        let path = folder.join(format!("{name}.svg"));
        if std::env::var_os("FATHOM_WRITE_PICTURES").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, picture_file(&picture)).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(written, picture_file(&picture), "{name}");
    }
}
