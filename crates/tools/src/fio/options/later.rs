//! Options of engines that are not for files and block devices, and of fio after 3.33.

use crate::fio::option::{At, FioOption};
use crate::translation::Standing;
use fathom_core::spec::{Fill, Verify};
use std::num::NonZeroU32;

const ELSEWHERE: &str = "an option of an engine that is not for files and block devices";
const PRECONDITIONING: &str = "no order of writes is made up that leaves a flash device as after \
                               long use; write it at random twice over";
const PLACEMENT: &str = "writes carry no hint of where they go";
const PROTECTION: &str = "blocks carry no metadata and no protection information";
const COMMANDS: &str = "requests are reads, writes, flushes and trims";
const ONE_BUFFER: &str = "requests have one buffer each";
pub(super) const PROFILE: &str = "an option of fio's profiles act and tiobench, with which alone \
                                  it does anything";
const OVER: &str = "fio itself ignores it by now";

pub(super) static OPTIONS: &[FioOption] = &[
    FioOption::refused("hostname", ELSEWHERE),
    FioOption::refused("port", ELSEWHERE),
    FioOption::refused("protocol", ELSEWHERE),
    FioOption::refused("nodelay", ELSEWHERE),
    FioOption::refused("listen", ELSEWHERE),
    FioOption::refused("pingpong", ELSEWHERE),
    FioOption::refused("interface", ELSEWHERE),
    FioOption::refused("ttl", ELSEWHERE),
    FioOption::refused("window_size", ELSEWHERE),
    FioOption::refused("mss", ELSEWHERE),
    FioOption::refused("donorname", ELSEWHERE),
    FioOption::refused("inplace", ELSEWHERE),
    FioOption::refused("clustername", ELSEWHERE),
    FioOption::refused("rbdname", ELSEWHERE),
    FioOption::refused("clientname", ELSEWHERE),
    FioOption::refused("busy_poll", ELSEWHERE),
    FioOption::refused("pool", ELSEWHERE),
    FioOption::refused("conf", ELSEWHERE),
    FioOption::refused("touch_objects", ELSEWHERE),
    FioOption::refused("brick", ELSEWHERE),
    FioOption::refused("volume", ELSEWHERE),
    FioOption::refused("https", ELSEWHERE),
    FioOption::refused("http_host", ELSEWHERE),
    FioOption::refused("http_user", ELSEWHERE),
    FioOption::refused("http_pass", ELSEWHERE),
    FioOption::refused("http_s3_key", ELSEWHERE),
    FioOption::refused("http_s3_keyid", ELSEWHERE),
    FioOption::refused("http_s3_region", ELSEWHERE),
    FioOption::refused("http_s3_sse_customer_key", ELSEWHERE),
    FioOption::refused("http_s3_sse_customer_algorithm", ELSEWHERE),
    FioOption::refused("http_s3_storage_class", ELSEWHERE),
    FioOption::refused("http_swift_auth_token", ELSEWHERE),
    FioOption::refused("http_mode", ELSEWHERE),
    FioOption::refused("http_verbose", ELSEWHERE),
    FioOption::refused("uri", ELSEWHERE),
    FioOption::refused("nfs_url", ELSEWHERE),
    FioOption::refused("verb", ELSEWHERE),
    FioOption::refused("bindname", ELSEWHERE),
    FioOption::refused("skip_bad", ELSEWHERE),
    FioOption::refused("libblkio_driver", ELSEWHERE),
    FioOption::refused("libblkio_path", ELSEWHERE),
    FioOption::refused("gpu_dev_id", ELSEWHERE),
    FioOption::refused("gpu_dev_ids", ELSEWHERE),
    FioOption::refused("cuda_io", ELSEWHERE),
    FioOption::refused("rocm_io", ELSEWHERE),
    FioOption::refused("namenode", ELSEWHERE),
    FioOption::refused("chunk_size", ELSEWHERE),
    FioOption::refused("single_instance", ELSEWHERE),
    FioOption::refused("hdfs_use_direct", ELSEWHERE),
    FioOption::refused("container", ELSEWHERE),
    FioOption::refused("container_alias", ELSEWHERE),
    FioOption::refused("server", ELSEWHERE),
    FioOption::refused("username", ELSEWHERE),
    FioOption::refused("transport", ELSEWHERE),
    FioOption::refused("test_size", ELSEWHERE),
    FioOption::refused("chunck_size", ELSEWHERE),
    FioOption::refused("cont", ELSEWHERE),
    FioOption::refused("hdfsdirectory", ELSEWHERE),
    FioOption::refused("http_object_mode", ELSEWHERE),
    FioOption::refused("http_s3_security_token", ELSEWHERE),
    FioOption::refused("initiator", ELSEWHERE),
    FioOption::refused("libblkio_force_enable_completion_eventfd", ELSEWHERE),
    FioOption::refused("libblkio_num_entries", ELSEWHERE),
    FioOption::refused("libblkio_pre_connect_props", ELSEWHERE),
    FioOption::refused("libblkio_pre_start_props", ELSEWHERE),
    FioOption::refused("libblkio_queue_size", ELSEWHERE),
    FioOption::refused("libblkio_vectored", ELSEWHERE),
    FioOption::refused("libblkio_wait_mode", ELSEWHERE),
    FioOption::refused("libblkio_write_zeroes_on_trim", ELSEWHERE),
    FioOption::refused("no_completion_thread", ELSEWHERE),
    FioOption::refused("object_class", ELSEWHERE),
    FioOption::refused("proto", ELSEWHERE),
    FioOption::refused("rbd_encryption_format", ELSEWHERE),
    FioOption::refused("rbd_encryption_passphrase", ELSEWHERE),
    FioOption::refused("single-instance", ELSEWHERE),
    FioOption::refused("svcl", ELSEWHERE),
    FioOption::refused("xnvme_admin", ELSEWHERE),
    FioOption::refused("xnvme_async", ELSEWHERE),
    FioOption::refused("xnvme_be", ELSEWHERE),
    FioOption::refused("xnvme_dev_nsid", ELSEWHERE),
    FioOption::refused("xnvme_dev_subnqn", ELSEWHERE),
    FioOption::refused("xnvme_iovec", ELSEWHERE),
    FioOption::refused("xnvme_mem", ELSEWHERE),
    FioOption::refused("xnvme_sync", ELSEWHERE),
    FioOption::refused("ramp_size", "a warm-up ends by time; give it as ramp_time").unless(&["0"]),
    FioOption::refused("sprandom", PRECONDITIONING).unless(&["0"]),
    FioOption::refused("spr_num_regions", PRECONDITIONING),
    FioOption::refused("spr_op", PRECONDITIONING),
    FioOption::refused("spr_cs", PRECONDITIONING).unless(&["0"]),
    FioOption::refused("num_range", "a trim is of one range").unless(&["1"]),
    FioOption::refused(
        "thinkcycles",
        "no work of the processor is made up; a pause is thinktime",
    )
    .unless(&["0"]),
    FioOption::refused("dataplacement", PLACEMENT)
        .alias(&["data_placement"])
        .unless(&["none"]),
    FioOption::refused("fdp", PLACEMENT).unless(&["0"]),
    FioOption::refused("fdp_pli", PLACEMENT),
    FioOption::refused("fdp_pli_select", PLACEMENT),
    FioOption::refused("plids", PLACEMENT),
    FioOption::refused("plid_select", PLACEMENT),
    FioOption::refused("dp_scheme", PLACEMENT),
    FioOption::refused("md_per_io_size", PROTECTION).unless(&["0"]),
    FioOption::refused("pi_act", PROTECTION),
    FioOption::refused("pi_chk", PROTECTION),
    FioOption::refused("apptag", PROTECTION),
    FioOption::refused("apptag_mask", PROTECTION),
    FioOption::refused("write_mode", COMMANDS).unless(&["write"]),
    FioOption::refused("read_mode", COMMANDS).unless(&["read"]),
    FioOption::refused("verify_mode", COMMANDS).unless(&["read"]),
    FioOption::refused("verify_bytchk", COMMANDS),
    FioOption::refused("deac", COMMANDS).unless(&["0"]),
    FioOption::refused("cdb_len", "SCSI commands are not sent"),
    FioOption::ignored("readv_writev", ONE_BUFFER).unless(&["0"]),
    FioOption::ignored("libaio_vectored", ONE_BUFFER).unless(&["0"]),
    FioOption::refused(
        "random_sequence_stride",
        "random places are one by one; runs of them are rw=randread:N",
    )
    .unless(&["0"]),
    FioOption::refused("end_syncfs", "there is end_fsync, for the files of the job").unless(&["0"]),
    FioOption::kept("verify_pattern_interval", |to, word| {
        let bytes = to.number(word, 0, u32::MAX.into())?;
        to.pattern_interval = NonZeroU32::new(bytes as u32);
        Ok(())
    })
    .remark("of a later fio; requests are of one size, or it is in 512")
    .unless(&["0"])
    .of_job(At::Data(9), |of, pen| {
        let Fill::Pattern(pattern) = of.job.data.fill else {
            return;
        };
        let every = pattern.every();
        pen.put_some(every.filter(|_| of.job.verify != Verify::Off));
        pen.lose_if(
            every.is_some() && of.job.verify == Verify::Off,
            Standing::Approximated,
            "data",
            "fio begins only a pattern anew within a request that it checks",
        );
    }),
    FioOption::ignored("verifysort", OVER),
    FioOption::ignored("verifysort_nr", OVER),
    FioOption::ignored("flow_watermark", OVER),
    FioOption::refused(
        "percentage_sequential",
        "fio has it no more; the rest of percentage_random",
    ),
    FioOption::refused(
        "rwmixcycle",
        "fio has it no more; the mix is kept throughout",
    ),
    FioOption::ignored("threads", PROFILE),
    FioOption::ignored("numruns", PROFILE),
    FioOption::ignored("dir", PROFILE),
    FioOption::ignored("block", PROFILE),
    FioOption::ignored("device-names", PROFILE),
    FioOption::ignored("load", PROFILE),
    FioOption::ignored("prep", PROFILE),
    FioOption::ignored("test-duration", PROFILE),
    FioOption::ignored("threads-per-queue", PROFILE),
    FioOption::ignored("read-req-num-512-blocks", PROFILE),
    FioOption::ignored("large-block-op-kbytes", PROFILE),
    FioOption::ignored("comm", "threads have names of their own"),
    FioOption::refused(
        "priohint",
        "not supported by Fathom; `prio` and `prioclass` are",
    )
    .unless(&["0"]),
    FioOption::refused("stat_type", "files are looked at by statx").unless(&["statx"]),
    FioOption::refused("job_start_clock_id", "by the clock of the day").unless(&["0"]),
    FioOption::refused(
        "recover_zbd_write_error",
        "after an error a zone is not written to at a guess",
    )
    .unless(&["0"]),
    FioOption::refused(
        "write_zone_remainder",
        "requests have the size asked for; what does not fit at the end of a zone is left",
    )
    .unless(&["0"]),
];
