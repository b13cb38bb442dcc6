//! What may be in what, in which order: DISKSPD 2.2's result as its schema describes it.
//! `?` may be missing, `*` may be there any number of times.

/// The children of an element, by the path of names that leads to it; the longest ending wins.
pub(crate) const SCHEMA: &[(&str, &str)] = &[
    ("Results", "System Profile TimeSpan*"),
    (
        "System",
        "ComputerName Tool RunTime PowerScheme? ProcessorTopology",
    ),
    ("Tool", "Version VersionDate"),
    ("ProcessorTopology", "Group* Node* Socket* Core*"),
    ("ProcessorTopology/Group", ""),
    ("ProcessorTopology/Node", "Group*"),
    ("ProcessorTopology/Socket", "Group*"),
    (
        "Profile",
        "Progress ExperimentFlags? ResultFormat Verbose VerboseStats? PrecreateFiles? ETW? \
         TimeSpans",
    ),
    ("TimeSpans", "TimeSpan*"),
    (
        "TimeSpans/TimeSpan",
        "CompletionRoutines MeasureLatency CalculateIopsStdDev DisableAffinity Duration Warmup \
         Cooldown ThreadCount RequestCount IoBucketDuration RandSeed RandomWriteData? Affinity? \
         Targets",
    ),
    ("Affinity", "AffinityGroupAssignment*"),
    ("Targets", "Target*"),
    (
        "Targets/Target",
        "Path BlockSize BaseFileOffset SequentialScan RandomAccess TemporaryFile UseLargePages \
         DisableLocalCache? DisableOSCache? WriteThrough? MemoryMappedIo? FlushType? \
         WriteBufferContent ParallelAsyncIO BurstSize? ThinkTime? FileSize? Random? RandomRatio? \
         Distribution? StrideSize? InterlockedSequential? ThreadStride MaxFileSize RequestCount \
         WriteRatio Throughput? ThreadsPerFile IOPriority Weight ThreadTargets?",
    ),
    ("WriteBufferContent", "Pattern RandomDataSource?"),
    ("RandomDataSource", "SizeInBytes FilePath?"),
    ("Distribution", "Absolute? Percent?"),
    ("Absolute", "Range*"),
    ("Percent", "Range*"),
    (
        "Results/TimeSpan",
        // Either all of it, or why there is nothing.
        "TestTimeSeconds? ThreadCount? RequestCount? ProcCount? CpuUtilization? Latency? Iops? \
         ETW? ETWSessionInfo? Thread* Error?",
    ),
    ("CpuUtilization", "CPU* Average"),
    (
        "CPU",
        "Socket Node Group Core EfficiencyClass Id UsagePercent UserPercent KernelPercent \
         IdlePercent",
    ),
    (
        "Average",
        "UsagePercent UserPercent KernelPercent IdlePercent",
    ),
    (
        "Latency",
        "AverageReadMilliseconds? ReadLatencyStdev? AverageWriteMilliseconds? WriteLatencyStdev? \
         AverageTotalMilliseconds? LatencyStdev? Bucket*",
    ),
    (
        "Latency/Bucket",
        "Percentile ReadMilliseconds? WriteMilliseconds? TotalMilliseconds?",
    ),
    (
        "Iops",
        "ReadIopsStdDev? WriteIopsStdDev? IopsStdDev? Bucket*",
    ),
    ("Iops/Bucket", ""),
    ("Thread", "Id Target* WaitStatistics?"),
    (
        "Thread/Target",
        "Path BytesCount FileSize IOCount ReadBytes ReadCount WriteBytes WriteCount Distribution? \
         AverageReadLatencyMilliseconds? ReadLatencyStdev? AverageWriteLatencyMilliseconds? \
         WriteLatencyStdev? AverageLatencyMilliseconds? LatencyStdev? Iops?",
    ),
];

/// Attributes that an element has, in their order.
pub(crate) const ATTRIBUTES: &[(&str, &str)] = &[
    ("ProcessorTopology", "Heterogeneous"),
    (
        "ProcessorTopology/Group",
        "Group MaximumProcessors ActiveProcessors ActiveProcessorMask",
    ),
    ("ProcessorTopology/Node", "Node"),
    ("Node/Group", "Group Mask"),
    ("ProcessorTopology/Socket", "Socket"),
    ("Socket/Group", "Group Mask"),
    ("ProcessorTopology/Core", "Group Core Mask EfficiencyClass"),
    (
        "Latency",
        "ReadHistoBuckets WriteHistoBuckets TotalHistoBuckets",
    ),
    (
        "Iops/Bucket",
        "SampleMillisecond Read Write Total ReadMinLatencyMilliseconds ReadMaxLatencyMilliseconds \
         ReadAvgLatencyMilliseconds ReadLatencyStdDev WriteMinLatencyMilliseconds \
         WriteMaxLatencyMilliseconds WriteAvgLatencyMilliseconds WriteLatencyStdDev",
    ),
    ("AffinityGroupAssignment", "Group Processor"),
    ("Range", "IO"),
    ("Throughput", "unit"),
];
