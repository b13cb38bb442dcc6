//! The table of all checks. Each is a file, which holds all that is known of it; here it has its
//! module and its line.

pub(crate) mod above_device;
pub(crate) mod assumed;
pub(crate) mod background;
pub(crate) mod block_alignment;
pub(crate) mod burst_possible;
pub(crate) mod busy_before;
pub(crate) mod cache_persists;
pub(crate) mod cache_reads;
pub(crate) mod catalogue;
pub(crate) mod ceiling;
pub(crate) mod clock_step;
pub(crate) mod closed_form;
pub(crate) mod coarse_clock;
pub(crate) mod content_held;
pub(crate) mod context_switches;
pub(crate) mod course;
pub(crate) mod cpu_freq;
pub(crate) mod cpu_quota;
pub(crate) mod data_pattern;
pub(crate) mod device_gone;
pub(crate) mod device_unknown;
pub(crate) mod direct_honest;
pub(crate) mod discards;
pub(crate) mod dsync_cheaper;
pub(crate) mod ebs_counts;
pub(crate) mod emulated;
pub(crate) mod engine_fallback;
pub(crate) mod extents;
pub(crate) mod faster_than_link;
pub(crate) mod faster_than_network;
pub(crate) mod few_events;
pub(crate) mod file_shrunk;
pub(crate) mod file_unmarked;
pub(crate) mod flush_cost;
pub(crate) mod flush_missing;
pub(crate) mod generation_time;
pub(crate) mod generator_cpu;
pub(crate) mod generator_late;
pub(crate) mod generator_paused;
pub(crate) mod generator_starved;
pub(crate) mod imported;
pub(crate) mod instance;
pub(crate) mod interrupted;
pub(crate) mod io_errors;
pub(crate) mod io_limited;
pub(crate) mod io_workers;
pub(crate) mod little;
pub(crate) mod little_room;
pub(crate) mod long_intervals;
pub(crate) mod loop_cached;
pub(crate) mod major_faults;
pub(crate) mod member_failed;
pub(crate) mod member_lost;
pub(crate) mod member_missing;
pub(crate) mod member_unbalanced;
pub(crate) mod members_on_one_device;
pub(crate) mod members_on_one_machine;
pub(crate) mod members_on_one_server;
pub(crate) mod members_straggle;
pub(crate) mod members_too_few;
pub(crate) mod members_unequal;
pub(crate) mod memory_limited;
pub(crate) mod memory_target;
pub(crate) mod merged;
pub(crate) mod misaligned;
pub(crate) mod mounted;
pub(crate) mod neighbour;
pub(crate) mod network_full;
pub(crate) mod network_link;
pub(crate) mod never_written;
pub(crate) mod no_device;
pub(crate) mod no_polling;
pub(crate) mod not_steady;
pub(crate) mod nothing_measured;
pub(crate) mod null_engine;
pub(crate) mod numa_remote;
pub(crate) mod overlapping_streams;
pub(crate) mod overloaded;
pub(crate) mod queue_depth_limited;
pub(crate) mod rate_missed;
pub(crate) mod read_modify_write;
pub(crate) mod read_only;
pub(crate) mod remote_owner;
pub(crate) mod replay_differs;
pub(crate) mod replay_late;
pub(crate) mod server_memory;
pub(crate) mod short_run;
pub(crate) mod short_transfers;
pub(crate) mod simulated;
pub(crate) mod slow_clock;
pub(crate) mod small_file;
pub(crate) mod source_state;
pub(crate) mod sparse;
pub(crate) mod sparse_target;
pub(crate) mod split;
pub(crate) mod standstill;
pub(crate) mod start_skew;
pub(crate) mod steal;
pub(crate) mod steal_stalls;
pub(crate) mod storage_hangs;
pub(crate) mod tail_contaminated;
pub(crate) mod thermal;
pub(crate) mod too_fast;
pub(crate) mod traced;
pub(crate) mod trend;
pub(crate) mod uneven;
pub(crate) mod unhealthy;
pub(crate) mod unwritten;
pub(crate) mod unwritten_target;
pub(crate) mod verify_failed;
pub(crate) mod wakeup_latency;
pub(crate) mod writeback_ack;
pub(crate) mod writes_deferred;
pub(crate) mod zero_data;

use crate::check::{Check, Entry, Look};
use crate::code::table;

table! {
    checks: {
        nothing_measured::CHECK: NothingMeasured "nothing_measured";
        null_engine::CHECK: NullEngine "null_engine";
        emulated::CHECK: Emulated "emulated";
        simulated::CHECK: Simulated "simulated";
        imported::CHECK: Imported "imported";
        verify_failed::CHECK: VerifyFailed "verify_failed";
        device_gone::CHECK: DeviceGone "device_gone";
        io_errors::CHECK: IoErrors "io_errors";
        interrupted::CHECK: Interrupted "interrupted";
        memory_target::CHECK: MemoryTarget "memory_target";
        remote_owner::CHECK: RemoteOwner "remote_owner";
        cache_reads::CHECK: CacheReads "cache_reads";
        loop_cached::CHECK: LoopCached "loop_cached";
        writes_deferred::CHECK: WritesDeferred "writes_deferred";
        neighbour::CHECK:
            Neighbour "neighbour",
            Readahead "readahead",
            WriteAmplified "write_amplified";
        busy_before::CHECK: BusyBefore "busy_before";
        flush_missing::CHECK: FlushMissing "flush_missing";
        writeback_ack::CHECK: WritebackAck "writeback_ack";
        flush_cost::CHECK: FlushFree "flush_free", FlushReal "flush_real";
        cache_persists::CHECK: CachePersists "cache_persists";
        dsync_cheaper::CHECK: DsyncCheaper "dsync_cheaper";
        data_pattern::CHECK: Compresses "compresses", Dedupes "dedupes";
        read_modify_write::CHECK: Rmw "rmw";
        block_alignment::CHECK: PartitionStart "partition_start", BelowBlock "below_block";
        direct_honest::CHECK:
            DirectUnsupported "direct_unsupported",
            DirectFallback "direct_fallback",
            DirectLeak "direct_leak";
        extents::CHECK:
            DelayedExtents "delayed_extents",
            EncodedExtents "encoded_extents",
            SharedExtents "shared_extents",
            Fragmented "fragmented";
        never_written::CHECK: NeverWritten "never_written";
        faster_than_link::CHECK: FasterThanLink "faster_than_link", LinkDegraded "link_degraded";
        faster_than_network::CHECK: FasterThanNetwork "faster_than_network";
        too_fast::CHECK: TooFast "too_fast";
        thermal::CHECK: Thermal "thermal";
        background::CHECK: Background "background";
        discards::CHECK: Discards "discards";
        io_limited::CHECK: IoLimited "io_limited";
        memory_limited::CHECK: MemoryLimited "memory_limited";
        split::CHECK: Split "split";
        merged::CHECK: Merged "merged";
        no_device::CHECK: NoDevice "no_device";
        storage_hangs::CHECK: StorageHangs "storage_hangs";
        little::CHECK:
            Accounting "accounting",
            GeneratorBound "generator_bound",
            SubmissionGaps "submission_gaps";
        ceiling::CHECK: NearCeiling "near_ceiling";
        queue_depth_limited::CHECK: QueueDepthLimited "queue_depth_limited";
        generation_time::CHECK: GenerationTime "generation_time";
        network_full::CHECK: NetworkFull "network_full";
        generator_cpu::CHECK: GeneratorCpu "generator_cpu";
        io_workers::CHECK: IoWorkers "io_workers";
        no_polling::CHECK: NoPolling "no_polling";
        steal::CHECK: Steal "steal";
        steal_stalls::CHECK: StealStalls "steal_stalls";
        generator_paused::CHECK: GeneratorPaused "generator_paused";
        replay_late::CHECK: ReplayLate "replay_late";
        generator_late::CHECK: GeneratorLate "generator_late";
        generator_starved::CHECK: GeneratorStarved "generator_starved";
        cpu_quota::CHECK: CpuQuota "cpu_quota";
        cpu_freq::CHECK: CpuFreq "cpu_freq";
        tail_contaminated::CHECK: TailContaminated "tail_contaminated";
        wakeup_latency::CHECK: WakeupLatency "wakeup_latency";
        context_switches::CHECK: ContextSwitches "context_switches";
        major_faults::CHECK: MajorFaults "major_faults";
        numa_remote::CHECK: NumaRemote "numa_remote";
        above_device::CHECK: AboveDevice "above_device";
        overloaded::CHECK: Overloaded "overloaded";
        rate_missed::CHECK: RateMissed "rate_missed";
        not_steady::CHECK: NotSteady "not_steady";
        standstill::CHECK: Standstill "standstill";
        uneven::CHECK: Uneven "uneven";
        trend::CHECK: Trend "trend";
        short_run::CHECK: ShortRun "short_run";
        few_events::CHECK: FewEvents "few_events";
        burst_possible::CHECK: BurstPossible "burst_possible";
        zero_data::CHECK: ZeroData "zero_data";
        content_held::CHECK: ContentHeld "content_held";
        small_file::CHECK: SmallFile "small_file";
        overlapping_streams::CHECK: OverlappingStreams "overlapping_streams";
        short_transfers::CHECK: ShortTransfers "short_transfers";
        engine_fallback::CHECK: EngineFallback "engine_fallback";
        slow_clock::CHECK: SlowClock "slow_clock";
        coarse_clock::CHECK: CoarseClock "coarse_clock";
        long_intervals::CHECK: LongIntervals "long_intervals";
        clock_step::CHECK: ClockStep "clock_step";
    }
    before: {
        memory_target::BEFORE:;
        no_device::BEFORE:;
        direct_honest::BEFORE:;
        read_only::BEFORE: ReadOnly "read_only";
        mounted::BEFORE: Mounted "mounted";
        little_room::BEFORE: LittleRoom "little_room";
        sparse::BEFORE: Sparse "sparse";
        unwritten::BEFORE: Unwritten "unwritten";
        extents::ENCODED_BEFORE:;
        extents::SHARED_BEFORE:;
        misaligned::BEFORE: Misaligned "misaligned";
        faster_than_link::BEFORE:;
        background::BEFORE:;
        unhealthy::BEFORE: Unhealthy "unhealthy";
        io_limited::BEFORE:;
        neighbour::BEFORE:;
        network_link::BEFORE: NetworkLink "network_link";
        steal::BEFORE:;
    }
    beside: {
        sparse_target::ENTRY: SparseTarget "sparse_target";
        unwritten_target::ENTRY: UnwrittenTarget "unwritten_target";
        file_shrunk::ENTRY: FileShrunk "file_shrunk";
        device_unknown::ENTRY: DeviceUnknown "device_unknown";
        file_unmarked::ENTRY: FileUnmarked "file_unmarked";
        replay_differs::ENTRY: ReplayDiffers "replay_differs";
        instance::ENTRY: Instance "instance";
        ebs_counts::ENTRY: EbsCounts "ebs_counts";
        traced::ENTRY: Traced "traced";
        source_state::ENTRY: SourceState "source_state";
        catalogue::ENTRY: Catalogue "catalogue";
        assumed::ENTRY: Assumed "assumed";
        closed_form::ENTRY: ClosedForm "closed_form";
        course::ENTRY: Course "course";
        member_missing::ENTRY: MemberMissing "member_missing";
        member_failed::ENTRY: MemberFailed "member_failed";
        member_lost::ENTRY: MemberLost "member_lost";
        members_too_few::ENTRY: MembersTooFew "members_too_few";
        member_unbalanced::ENTRY: MemberUnbalanced "member_unbalanced";
        members_on_one_machine::ENTRY: MembersOnOneMachine "members_on_one_machine";
        members_on_one_device::ENTRY: MembersOnOneDevice "members_on_one_device";
        members_on_one_server::ENTRY: MembersOnOneServer "members_on_one_server";
        server_memory::ENTRY: ServerMemory "server_memory";
        start_skew::ENTRY: StartSkew "start_skew";
        members_straggle::ENTRY: MembersStraggle "members_straggle";
        members_unequal::ENTRY: MembersUnequal "members_unequal";
    }
}
