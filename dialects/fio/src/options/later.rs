//! Options of fio after 3.33, and of engines that are not for files and block devices.

use crate::option::FioOption;
use fathom_core::rows;
use std::sync::LazyLock;

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

const OF_ENGINES: &str = "\
    hostname port protocol nodelay listen pingpong interface ttl window_size mss donorname \
    inplace clustername rbdname clientname busy_poll pool conf touch_objects brick volume \
    https http_host http_user http_pass http_s3_key http_s3_keyid http_s3_region \
    http_s3_sse_customer_key http_s3_sse_customer_algorithm http_s3_storage_class \
    http_swift_auth_token http_mode http_verbose uri nfs_url verb bindname skip_bad \
    libblkio_driver libblkio_path gpu_dev_id gpu_dev_ids cuda_io rocm_io namenode chunk_size \
    single_instance hdfs_use_direct container container_alias server username transport \
    test_size chunck_size cont hdfsdirectory http_object_mode http_s3_security_token \
    initiator libblkio_force_enable_completion_eventfd libblkio_num_entries \
    libblkio_pre_connect_props libblkio_pre_start_props libblkio_queue_size \
    libblkio_vectored libblkio_wait_mode libblkio_write_zeroes_on_trim no_completion_thread \
    object_class proto rbd_encryption_format rbd_encryption_passphrase single-instance svcl \
    xnvme_admin xnvme_async xnvme_be xnvme_dev_nsid xnvme_dev_subnqn xnvme_iovec xnvme_mem \
    xnvme_sync";

/// Those of other engines, which all are refused for the same.
pub(super) fn elsewhere() -> &'static [FioOption] {
    static ROWS: LazyLock<Vec<FioOption>> = LazyLock::new(|| {
        let names = OF_ENGINES.split(' ');
        names
            .map(|name| FioOption::refused(name, ELSEWHERE))
            .collect()
    });
    &ROWS
}

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    refused("ramp_size", "a warm-up ends by time; give it as ramp_time").unless(&["0"]);
    refused("sprandom", PRECONDITIONING).unless(&["0"]);
    refused("spr_num_regions", PRECONDITIONING);
    refused("spr_op", PRECONDITIONING);
    refused("spr_cs", PRECONDITIONING).unless(&["0"]);
    refused("num_range", "a trim is of one range").unless(&["1"]);
    refused("thinkcycles", "no work of the processor is made up; a pause is thinktime")
        .unless(&["0"]);
    refused("dataplacement", PLACEMENT).alias(&["data_placement"]).unless(&["none"]);
    refused("fdp", PLACEMENT).unless(&["0"]);
    refused("fdp_pli", PLACEMENT);
    refused("fdp_pli_select", PLACEMENT);
    refused("plids", PLACEMENT);
    refused("plid_select", PLACEMENT);
    refused("dp_scheme", PLACEMENT);
    refused("md_per_io_size", PROTECTION).unless(&["0"]);
    refused("pi_act", PROTECTION);
    refused("pi_chk", PROTECTION);
    refused("apptag", PROTECTION);
    refused("apptag_mask", PROTECTION);
    refused("write_mode", COMMANDS).unless(&["write"]);
    refused("read_mode", COMMANDS).unless(&["read"]);
    refused("verify_mode", COMMANDS).unless(&["read"]);
    refused("verify_bytchk", COMMANDS);
    refused("deac", COMMANDS).unless(&["0"]);
    refused("cdb_len", "SCSI commands are not sent");
    ignored("readv_writev", ONE_BUFFER).unless(&["0"]);
    ignored("libaio_vectored", ONE_BUFFER).unless(&["0"]);
    refused("random_sequence_stride",
        "random places are one by one; runs of them are rw=randread:N").unless(&["0"]);
    refused("end_syncfs", "there is end_fsync, for the files of the job").unless(&["0"]);
    refused("verify_pattern_interval",
        "not supported by Fathom; a pattern runs on through a request").unless(&["0"]);
    ignored("verifysort", OVER);
    ignored("verifysort_nr", OVER);
    ignored("flow_watermark", OVER);
    refused("percentage_sequential", "fio has it no more; the rest of percentage_random");
    refused("rwmixcycle", "fio has it no more; the mix is kept throughout");
    ignored("threads", PROFILE);
    ignored("numruns", PROFILE);
    ignored("dir", PROFILE);
    ignored("block", PROFILE);
    ignored("device-names", PROFILE);
    ignored("load", PROFILE);
    ignored("prep", PROFILE);
    ignored("test-duration", PROFILE);
    ignored("threads-per-queue", PROFILE);
    ignored("read-req-num-512-blocks", PROFILE);
    ignored("large-block-op-kbytes", PROFILE);
    ignored("comm", "threads have names of their own");
    refused("priohint", "not supported by Fathom; `prio` and `prioclass` are").unless(&["0"]);
    refused("stat_type", "files are looked at by statx").unless(&["statx"]);
    refused("job_start_clock_id", "by the clock of the day").unless(&["0"]);
    refused("recover_zbd_write_error", "after an error a zone is not written to at a guess")
        .unless(&["0"]);
    refused("write_zone_remainder",
        "requests have the size asked for; what does not fit at the end of a zone is left")
        .unless(&["0"]);
};
