import { isIP } from 'node:net'
import { z } from 'zod'
import { digestOf } from '#checks/cut.ts'
import { readable } from '#checks/readable.ts'
import { degradedAfterMs, judgeSpeed, timeoutMs } from '#checks/settings.ts'
import { type Change, checkKind } from '#contract/check.ts'
import { bounded } from './values.ts'

export const recordTypes = ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA'] as const
export type RecordType = (typeof recordTypes)[number]

/** `1.1.1.1`, `1.1.1.1:5353`, `2606::1` or `[2606::1]:5353`. */
export function parseResolver(text: string): { address: string; port: number } | null {
  const [, six, four, digits = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = isIP(text) ? text : six && isIP(six) === 6 ? six : four && isIP(four) === 4 ? four : null
  const port = isIP(text) ? 53 : Number(digits)
  return address && !address.includes('%') && port >= 1 && port <= 65_535 ? { address, port } : null
}

export type Records = Partial<Record<RecordType, string[]>>

/** A message of DNS has at most 65,535 bytes: its values are never cut before they are compared. */
const maxMessage = 65_535
const value = z.string().max(maxMessage)
const values = z.array(value).max(maxMessage)
const expectedValues = z
  .array(value)
  .max(1_000)
  .refine(list => JSON.stringify(list).length <= maxMessage, 'Must fit into a message of DNS, 65,535 bytes.')

/** Most characters of JSON kept of a result for each record type, of all name servers together. */
export const maxSeenChars = 70_000
/** The same for a snapshot, 30 KB in all. Texts are the only long records. */
const maxSnapshotChars: Record<RecordType, number> = {
  A: 3_000,
  AAAA: 3_000,
  MX: 2_000,
  CNAME: 1_000,
  NS: 2_000,
  TXT: 12_000,
  SOA: 1_000,
  SRV: 2_000,
  CAA: 2_000,
}

/**
 * The stored snapshot of a name, taken from settled results. `version` 2 has values in full: an older one, whose
 * values were cut, is replaced without a comparison.
 */
const SnapshotSchema = z.object({
  version: z.literal(2),
  zone: z.string(),
  nameservers: values,
  records: z.partialRecord(z.enum(recordTypes).meta({ id: 'DnsRecordType' }), values),
})
type SnapshotSchema = z.output<typeof SnapshotSchema>

export const dns = checkKind({
  name: 'dns',
  summary: 'The name resolves, to what is expected, and its records do not change unnoticed',
  uptimeRank: 4,
  offered: { website: 'possible', host: 'possible', needs: 'domain' },
  every: { default: 300, min: 10 },
  severity: 'major',
  settings: z.object({
    name: z
      .string()
      .max(253)
      .nullable()
      .default(null)
      .meta({ description: 'Name to look up. `null`: the host of the monitor.' }),
    record_types: z
      .array(z.enum(recordTypes))
      .min(1)
      .max(recordTypes.length)
      .default(['A', 'AAAA'])
      .meta({ description: 'Record types to look up.' }),
    resolvers: z
      .array(
        z
          .string()
          .max(60)
          .refine(text => parseResolver(text) !== null, 'Must be an IP address, with a port if need be.'),
      )
      .max(4)
      .default([])
      .meta({
        description:
          'Addresses of the name servers to ask, each must give the answer. Empty: those of the region, which say ' +
          'nothing of a name that leads to an address that is not public.',
      }),
    expected: z.partialRecord(z.enum(recordTypes), expectedValues).default({}).meta({
      description: 'Values that must be among the answers, by record type, written as the results show them, in full.',
    }),
    exact: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether there may be no other values than the expected ones.' }),
    detect_changes: z
      .boolean()
      .default(true)
      .meta({
        description:
          'Whether a confirmed change of the records is a warning and sends notifications. The reseller receives ' +
          'its event either way.',
      }),
    timeout_ms: timeoutMs,
    degraded_after_ms: degradedAfterMs,
  }),
  backtestable: ['expected', 'exact', 'detect_changes', 'degraded_after_ms'],
  seen: z.object({
    /** Values by record type, normalised and sorted; an empty list for a type without records. */
    records: z.partialRecord(z.enum(recordTypes), values).meta({
      description:
        'Values by record type, in full. Of a list that is too long to be kept the last line names the number of all ' +
        'values and their digest.',
    }),
    failed: z
      .array(z.enum(recordTypes))
      .max(recordTypes.length)
      .default([])
      .meta({ description: 'Record types that a name server did not answer for, while it answered for others.' }),
    /** Whether the immediate second query returned the same records. */
    settled: z.boolean(),
    /** The previous records, while the change is recent. */
    replaced: z.partialRecord(z.enum(recordTypes), values).nullable().default(null),
    zone: z.string().max(253).nullable().default(null).meta({ description: 'The zone the name lies in.' }),
    nameservers: values
      .nullable()
      .default(null)
      .meta({ description: 'The authoritative name servers of the zone. `null`: unknown.' }),
  }),

  // name servers are reached from us, so the guard applies as to every target
  refuse({ resolvers }, refuseHost) {
    if (!Array.isArray(resolvers)) return {}
    return Object.fromEntries(
      resolvers.flatMap((resolver, index) => {
        const { address = '', port } = parseResolver(String(resolver)) ?? {}
        const why = refuseHost(address, port)
        return why === null ? [] : [[`resolvers.${index}`, why]]
      }),
    )
  },

  /**
   * A change counts when two results agree on it. Each run queries twice and compares only answers that were the same
   * both times. The agent reports a change for some minutes, so that the runs which confirm a warning find it too. A
   * newly started agent reports no change; then the region's previous result is compared once.
   */
  judge(seen, settings, { phases, previous }) {
    const unknown = seen.failed.find(type => settings.expected[type])
    if (unknown) return { status: 'down', ...unanswered(unknown) }
    for (const [type, wanted] of Object.entries(settings.expected) as [RecordType, string[]][]) {
      const found = seen.records[type]
      if (!found) continue
      const expected = wanted.map(value => normalise(type, value))
      const present = new Set(found)
      const missing = expected.filter(value => !present.has(value))
      if (missing.length)
        return {
          status: 'down',
          code: 'dns_record_missing',
          reason: `The ${type} records lack ${cut(missing.join(', '))}.`,
        }
      const wantedValues = new Set(expected)
      const extra = found.filter(value => !wantedValues.has(value))
      if (settings.exact && extra.length)
        return {
          status: 'down',
          code: 'dns_record_unexpected',
          reason: `The ${type} records hold ${cut(extra.join(', '))}.`,
        }
    }
    const isNone = ([type, found]: [string, string[]]) =>
      found.length === 0 && settings.expected[type as RecordType]?.length !== 0
    if (Object.entries(seen.records).every(isNone) && seen.failed[0])
      return { status: 'down', ...unanswered(seen.failed[0]) }
    if (Object.entries(seen.records).every(isNone))
      return {
        status: 'down',
        code: 'dns_no_records',
        reason: `The name has no ${Object.keys(seen.records).join(' or ')} record.`,
      }
    const changed =
      settings.detect_changes && seen.settled
        ? changesSince(seen.replaced ? { records: seen.replaced, settled: true } : previous, seen)
        : []
    if (changed.length) {
      return {
        status: 'warning',
        code: 'records_changed',
        reason: `The ${changed.map(({ type }) => type).join(', ')} records changed.`,
      }
    }
    // with one address family answered, the name is there (RFC 4074, RFC 8305)
    const isThere = Boolean(seen.records.A?.length || seen.records.AAAA?.length)
    const other = seen.failed.find(type => !(isThere && (type === 'A' || type === 'AAAA')))
    if (other) return { status: 'warning', ...unanswered(other) }
    return judgeSpeed(phases.total, settings.degraded_after_ms)
  },

  changeDetection: {
    snapshot: SnapshotSchema,
    snapshotOf: ({ records, failed, settled, zone, nameservers }) =>
      settled && failed.length === 0 && zone !== null && nameservers !== null
        ? {
            version: 2 as const,
            zone,
            nameservers: bounded(nameservers, maxSnapshotChars.NS),
            records: boundedRecords(withoutSerials(records), type => maxSnapshotChars[type]),
          }
        : null,
    changesBetween: (before, after, settings) =>
      changeEvents(before, after).map(change => ({ ...change, isMuted: !settings.detect_changes })),
  },
})

const unanswered = (type: RecordType) => ({
  code: 'dns_failed',
  reason: `The name servers failed to answer for the ${type} records.`,
})

/** Records whose lists are each bounded; the expected values stay. */
export function boundedRecords(
  records: Records,
  maxChars: (type: RecordType) => number,
  expected: Records = {},
): Records {
  const entries = (Object.entries(records) as [RecordType, string[]][]).map(([type, found]) => {
    const first = expected[type]?.map(value => normalise(type, value))
    return [type, bounded(found, maxChars(type), first)] as const
  })
  return Object.fromEntries(entries)
}

export interface RecordChange {
  type: RecordType
  old: string[]
  new: string[]
}

const Previous = z.object({ records: z.partialRecord(z.enum(recordTypes), values), settled: z.literal(true) })

/** The differences between two settled results, for record types that both contain. */
export function changesSince(previous: unknown, seen: { records: Records }): RecordChange[] {
  const before = Previous.safeParse(previous)
  if (!before.success) return []
  return recordTypes.flatMap(type => {
    const old = before.data.records[type]
    const now = seen.records[type]
    return old && now && comparable(type, old) !== comparable(type, now) ? [{ type, old, new: now }] : []
  })
}

/**
 * The events of a change: changed records, and separately changed name servers of the zone, which are more serious.
 * Name servers are compared within the same zone only: a name that becomes a zone of its own is no change of them.
 */
export function changeEvents(before: SnapshotSchema, after: SnapshotSchema): Change[] {
  const isMoved =
    before.zone === after.zone &&
    before.nameservers.length > 0 &&
    after.nameservers.length > 0 &&
    before.nameservers.join() !== after.nameservers.join()
  const nameserver_change = isMoved ? { old: before.nameservers, new: after.nameservers } : null
  const records = changesSince({ records: before.records, settled: true }, after)
  const changes = [
    ...(nameserver_change ? [{ type: 'NS' as const, ...nameserver_change }] : []),
    ...records.filter(({ type }) => type !== 'NS' || !isMoved),
  ]
  if (changes.length === 0) return []
  const payload = {
    zone: after.zone,
    nameservers: after.nameservers,
    changes,
    nameserver_change,
    nameservers_changed: isMoved,
  }
  const recordEvents: Change[] = [{ name: 'dns.records_changed', payload }]
  return isMoved ? [...recordEvents, { name: 'dns.nameserver_changed', payload }] : recordEvents
}

/** Ignores the serial of a zone, which changes with every edit; the rest of its SOA counts. */
const comparable = (type: RecordType, found: string[]) => (type === 'SOA' ? found.map(withoutSerial) : found).join('\n')
const withoutSerial = (soa: string) => soa.split(' ').toSpliced(2, 1).join(' ')

const withoutSerials = (records: Records): Records =>
  records.SOA ? { ...records, SOA: records.SOA.map(withoutSerial) } : records

/** Equal for records without a relevant change. */
export const fingerprint = (records: Records) =>
  digestOf(
    recordTypes.flatMap(type => (records[type] ? [`${type} ${comparable(type, records[type])}`] : [])).join('\n'),
  )

/**
 * Normal form of a value: names in lower case without the last dot, addresses as they are, and the bytes of texts as
 * people read them.
 */
export const normalise = (type: RecordType, value: string) =>
  type === 'TXT' || type === 'CAA'
    ? readable(value)
    : value
        .trim()
        .toLowerCase()
        .replace(/\.(?=\s|$)/g, '')

const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
