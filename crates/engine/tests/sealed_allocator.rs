//! The sealed allocator counts what is allocated under a seal, and nothing else.

use fathom_engine::alloc::{self, CountingAllocator};
use std::hint::black_box;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn allocations_under_a_seal_are_counted_for_the_thread_that_made_them() {
    let before = alloc::sealed_allocations();
    drop(black_box(Box::new(1_u64)));

    let seal = alloc::seal();
    assert_eq!(seal.allocations(), 0);
    let mut grown: Vec<u8> = black_box(Vec::with_capacity(8));
    grown.reserve_exact(4096);
    let zeroed = black_box(vec![0_u8; 64]);
    assert_eq!(seal.allocations(), 3);
    drop((grown, zeroed));
    assert_eq!(seal.allocations(), 3);

    let inner = alloc::seal();
    drop(black_box(Box::new(2_u64)));
    assert_eq!((inner.allocations(), seal.allocations()), (1, 4));
    drop(inner);
    drop(seal);

    std::thread::spawn(|| drop(black_box(Box::new(3_u64))))
        .join()
        .expect("the thread ends");
    assert_eq!(alloc::sealed_allocations() - before, 4);
}
