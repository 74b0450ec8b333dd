/**
 * What a program on a customer's server and the control plane say to each other. Not to be confused with agent.ts: those
 * agents are ours and look from their regions, this one tells of the machine it runs on.
 * No schema lives here, so that the program carries none: the control plane has it.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST metrics | bearer; a batch as NDJSON or JSON, zstd or gzip | 200 acknowledged: it is stored; 4xx never send it again; 401, 403, 429, 503 try later |
 * | POST otlp | bearer; OTLP/HTTP metrics, protobuf or JSON | 200 ExportMetricsServiceResponse |
 * | POST remoteWrite | bearer; Prometheus remote write 1.0 | 204 |
 * | GET program | | this program, one file |
 */
export const serverAgentPaths = {
  metrics: '/api/agent-monitors/metrics',
  otlp: '/api/agent-monitors/otlp/v1/metrics',
  remoteWrite: '/api/agent-monitors/prometheus/api/v1/write',
  program: '/api/agent-monitors/agent.mjs',
} as const

export const serverLimits = {
  /** Bytes of a batch as it comes, and unpacked. */
  batchBytes: 1_000_000,
  batchBytesUnpacked: 8_000_000,
  /** Moments in one batch, and values in all of them together. */
  batchSamples: 1_000,
  batchValues: 20_000,
  /** Single values and fields of a body, known to us or not: what a batch of the most values needs, and some more. */
  batchFields: 600_000,
  /** Bytes, unpacked, that count as one request; a larger body counts as several. */
  requestBytes: 524_288,
  /** Different metrics and labels in one batch. */
  batchSeries: 1_000,
  labelChars: 120,
  processes: 10,
  /** What lies further ahead of the server's clock, or further back, is refused. */
  futureMs: 300_000,
  pastMs: 7 * 86_400_000,
  intervalS: { min: 10, max: 300, default: 60 },
} as const

/** Each metric, its unit, and whether it is told for several things at once: disks, interfaces, cores. Of cores the mean is shown, else the highest. */
export const serverMetrics = {
  cpu: { unit: 'percent', of: 'core' },
  memory: { unit: 'percent', of: null },
  swap: { unit: 'percent', of: null },
  disk: { unit: 'percent', of: 'mount' },
  load: { unit: 'number', of: null },
  load_5m: { unit: 'number', of: null },
  load_15m: { unit: 'number', of: null },
  temperature: { unit: 'celsius', of: 'sensor' },
  memory_used: { unit: 'bytes', of: null },
  disk_used: { unit: 'bytes', of: 'mount' },
  network_in: { unit: 'bytes_per_second', of: 'interface' },
  network_out: { unit: 'bytes_per_second', of: 'interface' },
  disk_read: { unit: 'bytes_per_second', of: 'device' },
  disk_write: { unit: 'bytes_per_second', of: 'device' },
  processes: { unit: 'number', of: null },
  uptime: { unit: 'seconds', of: null },
} as const satisfies Record<string, { unit: string; of: string | null }>

export type ServerMetric = keyof typeof serverMetrics
export const serverMetricNames = Object.keys(serverMetrics) as [ServerMetric, ...ServerMetric[]]
export const isServerMetric = (name: string): name is ServerMetric => Object.hasOwn(serverMetrics, name)

/** What the machine is. */
export interface ServerHost {
  name: string
  os: string
  kernel: string
  arch: string
  cores: number
  memory_bytes: number
  agent: string
}

/** A program by its name alone: arguments hold secrets. Percent of the whole machine. */
export interface ServerProcess {
  name: string
  cpu: number
  memory: number
}

/** What was seen at one moment: a number, or numbers by what they are of. */
export interface ServerSample {
  at: number
  metrics: Partial<Record<ServerMetric, number | Record<string, number>>>
  processes?: ServerProcess[]
}

/** The first line of an NDJSON batch, each further line a `ServerSample`; as JSON the samples stand in it. */
export interface ServerBatchHeader {
  batch: string
  host?: ServerHost
}

/** Said only when all of the batch is stored. `ignored`: values of metrics not known here. */
export interface ServerAck {
  batch: string
  accepted: number
  ignored: number
  now_ms: number
}
