//! Counters of disks as Windows and ESXi call them, in the languages of Windows.
//!
//! Windows translates the names of its counters with its own language files; a Japanese or Chinese
//! Windows keeps the English names. The names here are those of Microsoft's documentation in each
//! language (Azure Monitor, "Windows performance counters", and "Design for high performance",
//! whose tables list both the counter and its translation) and of recordings in public
//! repositories, where German and French recordings are complete.

use super::readings::Metric;
use super::readings::Metric::{
    Await, Idle, QueueDepth, ReadAwait, ReadBytes, Reads, Transfers, WriteAwait, Writes,
    WrittenBytes,
};

/// A counter in small letters, the metric, and what turns its unit into ours.
type Row = (&'static str, Metric, f64);

const MIB: f64 = 1_048_576.0;

const ENGLISH: &[Row] = &[
    ("disk reads/sec", Reads, 1.0),
    ("disk writes/sec", Writes, 1.0),
    ("disk transfers/sec", Transfers, 1.0),
    ("disk read bytes/sec", ReadBytes, 1.0),
    ("disk write bytes/sec", WrittenBytes, 1.0),
    ("avg. disk sec/read", ReadAwait, 1e3),
    ("avg. disk sec/write", WriteAwait, 1e3),
    ("avg. disk sec/transfer", Await, 1e3),
    ("avg. disk queue length", QueueDepth, 1.0),
    ("% idle time", Idle, 1.0),
];
/// `esxtop -b`. A command is a read, a write or something else; what the driver takes is the time
/// in the device.
const ESXTOP: &[Row] = &[
    ("reads/sec", Reads, 1.0),
    ("writes/sec", Writes, 1.0),
    ("mbytes read/sec", ReadBytes, MIB),
    ("mbytes written/sec", WrittenBytes, MIB),
    ("average driver millisec/read", ReadAwait, 1.0),
    ("average driver millisec/write", WriteAwait, 1.0),
    ("average millisec/read", ReadAwait, 1.0),
    ("average millisec/write", WriteAwait, 1.0),
    ("active commands", QueueDepth, 1.0),
];
const GERMAN: &[Row] = &[
    ("lesevorgänge/s", Reads, 1.0),
    ("lesevorgänge/sek.", Reads, 1.0),
    ("schreibvorgänge/s", Writes, 1.0),
    ("schreibvorgänge/sek.", Writes, 1.0),
    ("übertragungen/s", Transfers, 1.0),
    ("bytes gelesen/s", ReadBytes, 1.0),
    ("byte gelesen/s", ReadBytes, 1.0),
    ("bytes geschrieben/s", WrittenBytes, 1.0),
    ("byte geschrieben/s", WrittenBytes, 1.0),
    ("mittlere sek./lesevorgänge", ReadAwait, 1e3),
    ("mittlere sek./schreibvorgänge", WriteAwait, 1e3),
    ("mittlere sek./übertragung", Await, 1e3),
    (
        "durchschnittl. warteschlangenlänge des datenträgers",
        QueueDepth,
        1.0,
    ),
    ("leerlaufzeit (%)", Idle, 1.0),
];
const FRENCH: &[Row] = &[
    ("lectures disque/s", Reads, 1.0),
    ("écritures disque/s", Writes, 1.0),
    ("transferts disque/s", Transfers, 1.0),
    ("lectures disque, octets/s", ReadBytes, 1.0),
    ("écritures disque, octets/s", WrittenBytes, 1.0),
    ("moyenne disque s/lecture", ReadAwait, 1e3),
    ("moyenne disque s/écriture", WriteAwait, 1e3),
    ("moyenne disque s/transfert", Await, 1e3),
    (
        "longueur moyenne de file d'attente du disque",
        QueueDepth,
        1.0,
    ),
    ("pourcentage d'inactivité", Idle, 1.0),
    ("% d'inactivité", Idle, 1.0),
];
const SPANISH: &[Row] = &[
    ("lecturas de disco/s", Reads, 1.0),
    ("escrituras en disco/s", Writes, 1.0),
    ("transferencias de disco/s", Transfers, 1.0),
    ("bytes de lectura de disco/s", ReadBytes, 1.0),
    ("bytes de escritura en disco/s", WrittenBytes, 1.0),
    ("promedio de segundos de disco/lectura", ReadAwait, 1e3),
    ("promedio de segundos de disco/escritura", WriteAwait, 1e3),
    ("promedio de segundos de disco/transferencia", Await, 1e3),
    ("promedio de longitud de la cola de disco", QueueDepth, 1.0),
];
const ITALIAN: &[Row] = &[
    ("letture disco/sec", Reads, 1.0),
    ("scritture disco/sec", Writes, 1.0),
    ("byte letti da disco/sec", ReadBytes, 1.0),
    ("byte scritti su disco/sec", WrittenBytes, 1.0),
    ("media letture disco/sec", ReadAwait, 1e3),
    ("media scritture disco/sec", WriteAwait, 1e3),
    ("media sec/trasferimento disco", Await, 1e3),
    ("lunghezza media coda del disco", QueueDepth, 1.0),
];
/// Of Brazil and of Portugal.
const PORTUGUESE: &[Row] = &[
    ("leituras de disco/s", Reads, 1.0),
    ("leituras de disco/seg", Reads, 1.0),
    ("gravações de disco/s", Writes, 1.0),
    ("escritas em disco/seg", Writes, 1.0),
    ("transferências de disco/s", Transfers, 1.0),
    ("transferências de disco/seg", Transfers, 1.0),
    ("bytes de leitura de disco/s", ReadBytes, 1.0),
    ("bytes lidos de disco/seg", ReadBytes, 1.0),
    ("bytes de gravação de disco/s", WrittenBytes, 1.0),
    ("bytes escritos em disco/seg", WrittenBytes, 1.0),
    ("média de disco s/transferência", Await, 1e3),
    ("comprimento médio da fila de disco", QueueDepth, 1.0),
];
const POLISH: &[Row] = &[
    ("odczyty dysku/s", Reads, 1.0),
    ("zapisy dysku/s", Writes, 1.0),
    ("bajty odczytu dysku/s", ReadBytes, 1.0),
    ("bajty zapisu dysku/s", WrittenBytes, 1.0),
    ("średnia dysk s/odczyt", ReadAwait, 1e3),
    ("średnia długość kolejki dysku", QueueDepth, 1.0),
];
const RUSSIAN: &[Row] = &[
    ("обращений чтения с диска/с", Reads, 1.0),
    ("обращений записи на диск/с", Writes, 1.0),
    ("скорость чтения с диска (байт/с)", ReadBytes, 1.0),
    ("скорость записи на диск (байт/с)", WrittenBytes, 1.0),
    ("среднее время чтения с диска (с)", ReadAwait, 1e3),
    ("среднее время записи на диск (с)", WriteAwait, 1e3),
    ("среднее время обращения к диску (с)", Await, 1e3),
    ("средняя длина очереди диска", QueueDepth, 1.0),
    ("процент времени бездействия", Idle, 1.0),
];

const LANGUAGES: [&[Row]; 9] = [
    ENGLISH, ESXTOP, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, POLISH, RUSSIAN,
];

/// The metric of a counter in small letters, and what turns its unit into ours.
pub(super) fn metric(counter: &str) -> Option<(Metric, f64)> {
    let mut rows = LANGUAGES.into_iter().flatten();
    let known = rows.find(|(name, ..)| *name == counter)?;
    Some((known.1, known.2))
}

/// What counters are of: where several are in a recording, the first counts, since others count
/// the same once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    /// A disk, or a device of ESXi.
    Physical,
    /// A path or an adapter of ESXi.
    Adapter,
    /// A drive letter, or a disk of a virtual machine.
    Logical,
}

const PHYSICAL: [&str; 9] = [
    "physicaldisk",
    "physical disk scsi device",
    "physikalischer datenträger",
    "disque physique",
    "disco físico",
    "disco fisico",
    "dysk fizyczny",
    "физический диск",
    "fysieke schijf",
];
const ADAPTER: [&str; 2] = ["physical disk", "physical disk adapter"];
const LOGICAL: [&str; 8] = [
    "logicaldisk",
    "virtual disk",
    "logischer datenträger",
    "disque logique",
    "disco lógico",
    "disco logico",
    "dysk logiczny",
    "логический диск",
];

/// The object of a name in small letters.
pub(super) fn object(name: &str) -> Option<Object> {
    let has = |names: &[&str]| names.contains(&name);
    match () {
        () if has(&PHYSICAL) => Some(Object::Physical),
        () if has(&ADAPTER) => Some(Object::Adapter),
        () if has(&LOGICAL) => Some(Object::Logical),
        () => None,
    }
}
