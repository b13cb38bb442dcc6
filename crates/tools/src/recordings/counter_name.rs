//! Counters of disks as Windows and ESXi call them, in the languages of Windows.
//!
//! Windows translates the names of its counters with its own language files; a Japanese or Chinese
//! Windows keeps the English names. The names here are those of Microsoft's documentation in each
//! language (Azure Monitor, "Windows performance counters", and "Design for high performance",
//! whose tables list both the counter and its translation) and of recordings in public
//! repositories, where German and French recordings are complete.

use super::readings::Metric;

/// A counter in small letters, the metric, and what turns its unit into ours.
type Row = (&'static str, Metric, f64);

const MIB: f64 = 1_048_576.0;

const ENGLISH: &[Row] = &[
    ("disk reads/sec", Metric::Reads, 1.0),
    ("disk writes/sec", Metric::Writes, 1.0),
    ("disk transfers/sec", Metric::Transfers, 1.0),
    ("disk read bytes/sec", Metric::ReadBytes, 1.0),
    ("disk write bytes/sec", Metric::WrittenBytes, 1.0),
    ("avg. disk sec/read", Metric::ReadAwait, 1e3),
    ("avg. disk sec/write", Metric::WriteAwait, 1e3),
    ("avg. disk sec/transfer", Metric::Await, 1e3),
    ("avg. disk queue length", Metric::QueueDepth, 1.0),
    ("% idle time", Metric::Idle, 1.0),
];
/// `esxtop -b`. A command is a read, a write or something else; what the driver takes is the time
/// in the device.
const ESXTOP: &[Row] = &[
    ("reads/sec", Metric::Reads, 1.0),
    ("writes/sec", Metric::Writes, 1.0),
    ("mbytes read/sec", Metric::ReadBytes, MIB),
    ("mbytes written/sec", Metric::WrittenBytes, MIB),
    ("average driver millisec/read", Metric::ReadAwait, 1.0),
    ("average driver millisec/write", Metric::WriteAwait, 1.0),
    ("average millisec/read", Metric::ReadAwait, 1.0),
    ("average millisec/write", Metric::WriteAwait, 1.0),
    ("active commands", Metric::QueueDepth, 1.0),
];
const GERMAN: &[Row] = &[
    ("lesevorgänge/s", Metric::Reads, 1.0),
    ("lesevorgänge/sek.", Metric::Reads, 1.0),
    ("schreibvorgänge/s", Metric::Writes, 1.0),
    ("schreibvorgänge/sek.", Metric::Writes, 1.0),
    ("übertragungen/s", Metric::Transfers, 1.0),
    ("bytes gelesen/s", Metric::ReadBytes, 1.0),
    ("byte gelesen/s", Metric::ReadBytes, 1.0),
    ("bytes geschrieben/s", Metric::WrittenBytes, 1.0),
    ("byte geschrieben/s", Metric::WrittenBytes, 1.0),
    ("mittlere sek./lesevorgänge", Metric::ReadAwait, 1e3),
    ("mittlere sek./schreibvorgänge", Metric::WriteAwait, 1e3),
    ("mittlere sek./übertragung", Metric::Await, 1e3),
    (
        "durchschnittl. warteschlangenlänge des datenträgers",
        Metric::QueueDepth,
        1.0,
    ),
    ("leerlaufzeit (%)", Metric::Idle, 1.0),
];
const FRENCH: &[Row] = &[
    ("lectures disque/s", Metric::Reads, 1.0),
    ("écritures disque/s", Metric::Writes, 1.0),
    ("transferts disque/s", Metric::Transfers, 1.0),
    ("lectures disque, octets/s", Metric::ReadBytes, 1.0),
    ("écritures disque, octets/s", Metric::WrittenBytes, 1.0),
    ("moyenne disque s/lecture", Metric::ReadAwait, 1e3),
    ("moyenne disque s/écriture", Metric::WriteAwait, 1e3),
    ("moyenne disque s/transfert", Metric::Await, 1e3),
    (
        "longueur moyenne de file d'attente du disque",
        Metric::QueueDepth,
        1.0,
    ),
    ("pourcentage d'inactivité", Metric::Idle, 1.0),
    ("% d'inactivité", Metric::Idle, 1.0),
];
const SPANISH: &[Row] = &[
    ("lecturas de disco/s", Metric::Reads, 1.0),
    ("escrituras en disco/s", Metric::Writes, 1.0),
    ("transferencias de disco/s", Metric::Transfers, 1.0),
    ("bytes de lectura de disco/s", Metric::ReadBytes, 1.0),
    ("bytes de escritura en disco/s", Metric::WrittenBytes, 1.0),
    (
        "promedio de segundos de disco/lectura",
        Metric::ReadAwait,
        1e3,
    ),
    (
        "promedio de segundos de disco/escritura",
        Metric::WriteAwait,
        1e3,
    ),
    (
        "promedio de segundos de disco/transferencia",
        Metric::Await,
        1e3,
    ),
    (
        "promedio de longitud de la cola de disco",
        Metric::QueueDepth,
        1.0,
    ),
];
const ITALIAN: &[Row] = &[
    ("letture disco/sec", Metric::Reads, 1.0),
    ("scritture disco/sec", Metric::Writes, 1.0),
    ("byte letti da disco/sec", Metric::ReadBytes, 1.0),
    ("byte scritti su disco/sec", Metric::WrittenBytes, 1.0),
    ("media letture disco/sec", Metric::ReadAwait, 1e3),
    ("media scritture disco/sec", Metric::WriteAwait, 1e3),
    ("media sec/trasferimento disco", Metric::Await, 1e3),
    ("lunghezza media coda del disco", Metric::QueueDepth, 1.0),
];
/// Of Brazil and of Portugal.
const PORTUGUESE: &[Row] = &[
    ("leituras de disco/s", Metric::Reads, 1.0),
    ("leituras de disco/seg", Metric::Reads, 1.0),
    ("gravações de disco/s", Metric::Writes, 1.0),
    ("escritas em disco/seg", Metric::Writes, 1.0),
    ("transferências de disco/s", Metric::Transfers, 1.0),
    ("transferências de disco/seg", Metric::Transfers, 1.0),
    ("bytes de leitura de disco/s", Metric::ReadBytes, 1.0),
    ("bytes lidos de disco/seg", Metric::ReadBytes, 1.0),
    ("bytes de gravação de disco/s", Metric::WrittenBytes, 1.0),
    ("bytes escritos em disco/seg", Metric::WrittenBytes, 1.0),
    ("média de disco s/transferência", Metric::Await, 1e3),
    (
        "comprimento médio da fila de disco",
        Metric::QueueDepth,
        1.0,
    ),
];
const POLISH: &[Row] = &[
    ("odczyty dysku/s", Metric::Reads, 1.0),
    ("zapisy dysku/s", Metric::Writes, 1.0),
    ("bajty odczytu dysku/s", Metric::ReadBytes, 1.0),
    ("bajty zapisu dysku/s", Metric::WrittenBytes, 1.0),
    ("średnia dysk s/odczyt", Metric::ReadAwait, 1e3),
    ("średnia długość kolejki dysku", Metric::QueueDepth, 1.0),
];
const RUSSIAN: &[Row] = &[
    ("обращений чтения с диска/с", Metric::Reads, 1.0),
    ("обращений записи на диск/с", Metric::Writes, 1.0),
    ("скорость чтения с диска (байт/с)", Metric::ReadBytes, 1.0),
    (
        "скорость записи на диск (байт/с)",
        Metric::WrittenBytes,
        1.0,
    ),
    ("среднее время чтения с диска (с)", Metric::ReadAwait, 1e3),
    ("среднее время записи на диск (с)", Metric::WriteAwait, 1e3),
    ("среднее время обращения к диску (с)", Metric::Await, 1e3),
    ("средняя длина очереди диска", Metric::QueueDepth, 1.0),
    ("процент времени бездействия", Metric::Idle, 1.0),
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
