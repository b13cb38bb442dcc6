//! Volumes and requests for the tests of layers.

use crate::model::IoShape;
use crate::models::{Device, Node, ServiceLaw, System};
use fathom_core::Op;

/// A device that takes `service_ns` for each request, however many there are.
pub(super) fn device(service_ns: u64) -> System {
    over(Device::new(1 << 40, law(service_ns), 1))
}

/// The same for one request after the other.
pub(super) fn one_server(service_ns: u64) -> System {
    over(Device::new(1 << 40, law(service_ns), 1).servers(1))
}

fn law(service_ns: u64) -> ServiceLaw {
    ServiceLaw::Constant(service_ns as f64)
}

fn over(device: Device) -> System {
    System::new(
        "d".to_owned(),
        Node::Device(Box::new(device)),
        vec![],
        vec![],
    )
}

const fn request(op: Op, bytes: u32) -> IoShape {
    IoShape {
        op,
        offset: 0,
        bytes,
    }
}

pub(super) const fn read(bytes: u32) -> IoShape {
    request(Op::Read, bytes)
}

pub(super) const fn write(bytes: u32) -> IoShape {
    request(Op::Write, bytes)
}

pub(super) const fn flush() -> IoShape {
    request(Op::Flush, 0)
}
