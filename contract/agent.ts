import { z } from 'zod'
import { Fault, Phases } from './check.ts'
import { shardCount } from './shards.ts'

/**
 * Protocol between probe agents and the control plane. Times are milliseconds of the server's clock (an agent derives
 * that clock from its own monotonic clock); durations are milliseconds of the monotonic clock.
 *
 * POST /agent/v1/enrol: body `Enrol`; 201 `Enrolled`, 401 unknown or used token, 422.
 * POST /agent/v1/token: body `{ assertion }`; 200 `AccessToken`, 401.
 * GET /agent/v1/work: bearer; 200 stream of `WorkFrame` lines (NDJSON, gzip when accepted), 401, 409 another agent
 * serves the region.
 * POST /agent/v1/results: bearer; NDJSON as zstd or gzip, one `BatchHeader` line, then `Result` lines; 200 NDJSON:
 * `Ack` once the results are decided on, then `Stored` once it is known whether they are stored; 400, 401, 409 fenced,
 * 413, 503 retry. In protocol 2 200 `Ack` once they are decided and stored, else 503.
 * POST /agent/v1/store: the same body, of results that were decided on and not stored; 200 `Ack` once they are stored,
 * without being decided on again; 400, 401, 409 fenced, 413, 503 retry. Since protocol 3.
 * POST /agent/v1/crawl: bearer; body `CrawlStep`; 200 `CrawlStepReply`, 401, 409 fenced, 422.
 * POST /agent/v1/findings: bearer; body `FindingsRequest`; 200 `FindingsReply`, 401, 404 not assigned, 409 fenced.
 * POST /agent/v1/beat: bearer; body `Beat`; 200 `{ now_ms }`, 401, 409 fenced.
 * GET /agent/v1/owners: bearer; 200 `Owners`, 401; 404 where the control plane is older.
 *
 * Each request has the headers of `agentHeaders`; 426 `ProtocolRefusal` where the control plane does not speak the
 * agent's protocol. `hello` and the header of a batch carry the protocol too.
 */
export const agentPaths = {
  enrol: '/agent/v1/enrol',
  token: '/agent/v1/token',
  work: '/agent/v1/work',
  results: '/agent/v1/results',
  store: '/agent/v1/store',
  beat: '/agent/v1/beat',
  crawl: '/agent/v1/crawl',
  findings: '/agent/v1/findings',
  owners: '/agent/v1/owners',
} as const

/**
 * Of each request: the protocol that the agent speaks, a number, and its version. Without them it is served as of 2.
 * `owners`: `1` from an agent that speaks to several ingest processes.
 */
export const agentHeaders = {
  protocol: 'x-agent-protocol',
  version: 'x-agent-version',
  owners: 'x-agent-owners',
} as const

/**
 * Increased when frames or requests change so that the other side must know it. An agent speaks `present`; the control
 * plane speaks both, so that it is upgraded first and the agents afterwards, one by one.
 *
 * | Protocol | |
 * |---|---|
 * | 1 | neither side names its protocol |
 * | 2 | requests have `agentHeaders`; `hello` and the header of a batch carry the protocol |
 * | 3 | results are acknowledged twice, as decided and as stored; `/store`; `unstored_since_ms` |
 */
export const agentProtocol = { present: 3, previous: 2 } as const

export const isSpoken = (protocol: number): boolean =>
  protocol === agentProtocol.present || protocol === agentProtocol.previous

/** Answered with status 426. `protocol`: the agent's. */
export const ProtocolRefusal = z.object({
  code: z.literal('protocol_not_spoken'),
  message: z.string(),
  protocol: z.int(),
  oldest_spoken: z.int(),
  newest_spoken: z.int(),
})

export const limits = {
  /** Most results in a batch, and most bytes before and after decompression. */
  batchResults: 5_000,
  batchBytes: 4_000_000,
  batchBytesUnpacked: 16_000_000,
  excerptChars: 1_000,
  /** Results dated further in the future or in the past are refused. */
  futureMs: 120_000,
  pastMs: 86_400_000,
  /** A region's agent that sends nothing for this long no longer votes and may be replaced. */
  leaseMs: 15_000,
  beatMs: 5_000,
} as const

export const regionName = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(40)

/** Increased when agents of an earlier version can no longer enrol. 2: an agent proves possession of its key. */
export const enrolmentProtocol = 2

/** The message an agent signs with the key it enrols. */
export const enrolmentMessage = (token: string, region: string) =>
  new TextEncoder().encode(`vedette agent enrolment ${enrolmentProtocol}\n${region}\n${token}`)

export const Enrol = z.object({
  protocol: z.literal(
    enrolmentProtocol,
    `This control plane enrols agents of protocol ${enrolmentProtocol}: install its version of the agent.`,
  ),
  token: z.string().max(200),
  region: regionName,
  name: z.string().min(1).max(100),
  public_key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().max(100) }),
  /** Ed25519 signature of `enrolmentMessage` by that key, as base64url. */
  proof: z.string().max(100),
})
export type EnrolRequest = z.infer<typeof Enrol>
export const Enrolled = z.object({ agent_id: z.uuid(), region: regionName })

/** The assertion is an EdDSA JWT: iss and sub = agent id, aud = 'vedette', jti, iat, exp at most 60 s later. */
export const AccessToken = z.object({ access_token: z.string(), expires_in_s: z.int() })

export const Assignment = z.object({
  check: z.uuid(),
  monitor: z.uuid(),
  /** An agent shares its run slots fairly between tenants. */
  tenant: z.uuid(),
  kind: z.string(),
  url: z.string(),
  settings: z.record(z.string(), z.unknown()),
  interval_ms: z.int().min(1_000),
  timeout_ms: z.int().min(100),
  /** Offset of this region's runs in the interval: 0 <= offset_ms < interval_ms; due = k * interval_ms + offset_ms. */
  offset_ms: z.int().min(0),
  /** Newest scheduled due time stored for this check and region. */
  last_due_ms: z.int().nullable(),
})
export type Assignment = z.infer<typeof Assignment>

const Shard = z
  .int()
  .min(0)
  .max(shardCount - 1)

/**
 * The ingest processes that own shards, by the address at which agents reach each. Empty: there is one, at the address
 * the agent was given.
 */
export const Owners = z.object({ owners: z.array(z.object({ url: z.url() })).max(shardCount) })
export type Owners = z.infer<typeof Owners>

export const WorkFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int().optional(),
    generation: z.int(),
    now_ms: z.number(),
    /**
     * The shards that this process owns for as long as the stream is open: their assignments follow, and their results
     * are taken under this generation. Missing: all.
     */
    shards: z.array(Shard).max(shardCount).optional(),
  }),
  z.object({ type: z.literal('assign'), revision: z.int(), checks: z.array(Assignment) }),
  /** The assignments sent since hello are complete: a check that was not among them is no longer assigned. */
  z.object({ type: z.literal('synced'), revision: z.int() }),
  z.object({ type: z.literal('withdraw'), revision: z.int(), checks: z.array(z.uuid()) }),
  z.object({
    type: z.literal('run'),
    check: z.uuid(),
    after_ms: z.int().min(0),
    reason: z.enum(['confirm', 'asked']),
    request: z.uuid().optional(),
  }),
  /** This region runs the crawl: its agent requests the first addresses. */
  z.object({ type: z.literal('crawl'), run: z.uuid(), tenant: z.uuid() }),
  z.object({ type: z.literal('beat'), now_ms: z.number(), revision: z.int() }),
])
export type WorkFrame = z.infer<typeof WorkFrame>

/**
 * Why a scheduled run did not start: the agent got no CPU time; the previous run was still in progress; the host hangs
 * and may have few runs at a time; no slot was free for the tenant.
 */
export const missedReasons = ['stalled', 'overrun', 'host_limit', 'capacity'] as const
export type MissedReason = (typeof missedReasons)[number]

/** Upper bounds of the histogram of schedule delays (start of a scheduled run minus its due), in seconds. */
export const delayBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600] as const

/** The agent's health. The results of an agent that fails its self-check are no votes. */
export const Health = z.object({
  revision: z.int(),
  lag_ms: z.number(),
  anchors: z.enum(['ok', 'failed', 'none']),
  resolver: z.enum(['ok', 'failed', 'none']),
  /** Wall clock minus server clock; displayed only. */
  clock_skew_ms: z.number(),
  /** Difference between the derived clock and the server's most recent time. */
  clock_drift_ms: z.number(),
  spooled: z.int(),
  /** The time of the oldest result that waits in the backlog to be decided or stored; null: none does. Since protocol 3. */
  unstored_since_ms: z.number().nullable().optional(),
  dropped_total: z.int(),
  corrupt_total: z.int(),
  in_flight: z.int(),
  rss_bytes: z.int(),
  version: z.string(),
  unsupported: z.record(z.string(), z.string()),
  /**
   * Since the agent started. `counts`: runs in each bucket of `delayBuckets`; the last element counts runs beyond all
   * bounds.
   */
  schedule_delay: z.object({
    counts: z.array(z.int().nonnegative()).length(delayBuckets.length + 1),
    sum_s: z.number().nonnegative(),
  }),
  missed_schedules: z.record(z.enum(missedReasons), z.int().nonnegative()),
})
export type Health = z.infer<typeof Health>

export const Beat = z.object({ generation: z.int(), health: Health })

export const BatchHeader = z.object({
  protocol: z.int().optional(),
  boot: z.uuid(),
  generation: z.int(),
  first: z.int(),
  last: z.int(),
  health: Health,
})
export type BatchHeader = z.infer<typeof BatchHeader>

export const runReasons = ['due', 'confirm', 'asked'] as const

export const Result = z.object({
  /** Sequence number of the record in the agent's spool. */
  seq: z.int().nonnegative(),
  /** Of the check's tenant; missing in the records of older agents. */
  shard: Shard.optional(),
  check: z.uuid(),
  kind: z.string().max(40),
  due: z.int(),
  attempt: z.int().min(0).max(65_535),
  reason: z.enum(runReasons),
  request: z.uuid().optional(),
  at: z.int(),
  took: z.number().nonnegative(),
  phases: Phases,
  seen: z.record(z.string(), z.unknown()).optional(),
  fault: Fault.optional(),
  excerpt: z.string().max(limits.excerptChars).optional(),
  /** The address the probe connected to. */
  address: z.string().max(64).optional(),
  /** The agent failed its self-check during the run: the result is stored and is no vote. */
  is_unreliable: z.boolean().optional(),
})
export type Result = z.infer<typeof Result>

export const refusalReasons = ['malformed', 'not_assigned', 'wrong_kind', 'future', 'too_old'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Every accepted result is decided on. Each refused result is listed once and need not be sent again. */
export const Ack = z.object({
  accepted: z.int(),
  refused: z.array(z.object({ seq: z.int(), reason: z.enum(refusalReasons) })),
  now_ms: z.number(),
})
export type Ack = z.infer<typeof Ack>

/**
 * Whether the accepted results are stored. If not, or if this line is missing, they are sent to `/store`, after a pause
 * and behind newer results. They may be stored all the same: to store them again changes nothing.
 */
export const Stored = z.object({ stored: z.boolean() })
export type Stored = z.infer<typeof Stored>
