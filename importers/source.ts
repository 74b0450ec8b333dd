import type { z } from 'zod'
import type { KindName } from '#checks/index.ts'
import type { PingAlias } from '#contract/ping-alias.ts'
import type { ImportedPage } from './page.ts'

interface Body {
  name: string
  tags?: string[]
  group?: string | null
  notes?: string | null
  [field: string]: unknown
}

/** A monitor to be created, as a client would send it to `POST /monitors`. What is wrong in it is found there. */
export interface MonitorBody extends Body {
  type?: 'website' | 'host' | undefined
  url: string
  checks?: { type: KindName; settings?: Record<string, unknown>; [field: string]: unknown }[]
}

/** A job, as a client would send it to `POST /cron-monitors`. */
export type CronBody = Body

export type WantedMonitor = { of: 'monitor'; body: MonitorBody } | { of: 'cron'; body: CronBody }

export type Wanted = WantedMonitor | { of: 'status_page'; body: z.input<typeof ImportedPage> }

/** An outage as a source has it, over before it was read. Moments are ISO texts in UTC. */
export interface PastIncident {
  /** The id at the source, or what is as lasting: the same outage has the same each time it is read. */
  id: string
  startedAt: string
  resolvedAt: string
  cause: string | null
}

/** The past of one monitor: between its two moments it had these outages and no others. */
export interface History {
  from: string
  until: string
  incidents: PastIncident[]
}

/** A record that a source holds. */
export interface SourceItem {
  kind: 'monitor' | 'channel' | 'status_page' | 'maintenance' | 'other'
  /** The id at the source: the same record has the same id each time it is read. */
  sourceId: string
  /** The kind as the source calls it, such as `http` or `push`. */
  sourceKind: string
  name: string
  /** null: it cannot be carried over, and `reason` says why. */
  wanted: Wanted | null
  reason?: string
  /** What cannot be carried over of it, and what stands in, each as a sentence. */
  standIns: string[]
  isEnabled: boolean
  /** Its ping addresses at the source, if pings to them can count here; none: it has no such. */
  pingAliases?: readonly PingAlias[]
  /** Its outages of the past. */
  history?: History | null
}

/** What the source says of one of its monitors now. */
export interface TheirStatus {
  status: 'up' | 'down' | 'paused' | 'unknown'
  reason?: string | null
  since?: string | null
  response_ms?: number | null
}

/** A record of the source that is one of our monitors. */
export interface ImportedItem {
  sourceId: string
  /** The kind and the name it had at the source when it was read. */
  sourceKind: string
  name: string
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers?: Record<string, string>
  body?: string
}

/** Requests to a source through the guard, with bounds for each answer and for all of them together. */
export interface Reach {
  /** The JSON of a 2xx answer; a `SourceError` otherwise. */
  json(url: URL | string, ask?: Ask): Promise<unknown>
  text(url: URL | string, ask?: Ask): Promise<string>
  /** Requests that may still follow. */
  left(): number
}

export interface SourceInput {
  /** The content of the file that was sent, for sources that are read from a file. */
  file: Buffer | null
  /** Where it lies, for sources that are a database. */
  path: string | null
  /** The secret of the source's API, for sources that are asked. */
  credential: string | null
  /** The key with which jobs name themselves to the source by their slugs. */
  pingKey: string | null
  baseUrl: string | null
  reach: Reach
  /** Reports how much was read. */
  progress(done: number, total: number | null): Promise<void>
}

export interface Source {
  name: string
  title: string
  /** How it is read: from a file that is sent, from its API, or either. */
  reads: 'file' | 'api'
  /** What its file is. */
  fileFormat?: string
  /** Its file is a database of SQLite. */
  isDatabase?: true
  /** Where its API is reached, if the caller names no other address; null: it must be named. */
  baseUrl?: string | null
  /** What its credential is. */
  credential?: string
  /** Whether jobs may send pings to it by a ping key and a slug. */
  hasPingKey?: boolean
  carries: readonly string[]
  leavesBehind: readonly string[]
  read(input: SourceInput): Promise<SourceItem[]>
  /** The present status of its monitors, by id; `imported`: those that are wanted. Without it, a shadow compares nothing. */
  poll?(input: SourceInput, imported: readonly ImportedItem[]): Promise<Map<string, TheirStatus>>
  /** Pauses monitors at the source. */
  pause?(input: SourceInput, sourceIds: readonly string[]): Promise<void>
}

/** Whether the source can be asked for the status of its monitors: of one that was read from a file the address is needed. */
export const isPolled = (source: Source | undefined, row: { base_url: string | null }): boolean =>
  source?.poll !== undefined && (row.base_url ?? source.baseUrl ?? null) !== null

/** The source cannot be read: what is wrong, in words for the person who moves. It holds no secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  /** The status with which the source refused, if that is what is wrong. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/** Records of one source that are taken at most. */
export const mostItems = 20_000

/** A source with more records than one migration takes is refused before each of them is converted and handed on. */
export function refuseTooMany(records: number): void {
  if (records > mostItems)
    throw new SourceError(`The source has more than ${mostItems} records: too many for one migration.`)
}
