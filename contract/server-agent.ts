/**
 * Protocol between the program on a customer's server and the control plane. Not to be confused with agent.ts: probe
 * agents are operated by us and run checks from their regions; this program reports the metrics of its own host. The
 * schemas are in the control plane, so that the program does not contain zod.
 *
 * POST metrics: bearer; a batch as NDJSON or JSON, zstd or gzip; 200 stored; 401, 403, 409, 429, 503 retry later; any
 * other 4xx do not retry. 409: another server reports with the token.
 * POST otlp: bearer; OTLP/HTTP metrics, protobuf or JSON; 200 ExportMetricsServiceResponse.
 * POST remoteWrite: bearer; Prometheus remote write 1.0; 204.
 * GET program: the program, one file.
 */
export const serverAgentPaths = {
  metrics: '/api/agent-monitors/metrics',
  otlp: '/api/agent-monitors/otlp/v1/metrics',
  remoteWrite: '/api/agent-monitors/prometheus/api/v1/write',
  program: '/api/agent-monitors/agent.mjs',
} as const

export const serverLimits = {
  /** Most bytes of a batch, as received and decompressed. */
  batchBytes: 1_000_000,
  batchBytesUnpacked: 8_000_000,
  /** Most samples in a batch, and most values in all of them together. */
  batchSamples: 1_000,
  batchValues: 20_000,
  /** Most values and fields of a body, of unknown metrics too: enough for `batchValues`. */
  batchFields: 600_000,
  /** Decompressed bytes that count as one request of the rate limit; a larger body counts as several. */
  requestBytes: 524_288,
  /** Most metrics and labels in a batch. */
  batchSeries: 1_000,
  labelChars: 120,
  processes: 10,
  /** Samples dated further in the future or in the past are refused. */
  futureMs: 300_000,
  pastMs: 7 * 86_400_000,
  intervalS: { min: 10, max: 300, default: 60 },
} as const

/**
 * Each metric, its unit, and its label when it is reported for several disks, interfaces or cores. Charts show the mean
 * of the cores, and the highest of any other label.
 */
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

/** The machine. */
export interface ServerHost {
  name: string
  os: string
  kernel: string
  arch: string
  cores: number
  memory_bytes: number
  agent: string
}

/** The name of the program only: arguments may contain secrets. Percent of the whole machine. */
export interface ServerProcess {
  name: string
  cpu: number
  memory: number
}

/** Metrics at one time: a number, or a number for each value of the label. */
export interface ServerSample {
  at: number
  metrics: Partial<Record<ServerMetric, number | Record<string, number>>>
  processes?: ServerProcess[]
}

/** Sent only when the whole batch is stored. `ignored`: values of unknown metrics. */
export interface ServerAck {
  batch: string
  accepted: number
  ignored: number
  now_ms: number
}
