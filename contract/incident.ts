import { z } from 'zod'

/** Format of times in payloads: ISO 8601, UTC. */
export const time = z.string().meta({ format: 'date-time' })

/** Fields of a monitor in events and mails, with an example. */
export const monitorFields = { monitor_id: z.uuid(), monitor_name: z.string(), monitor_url: z.string() }
export const monitor = {
  monitor_id: '5f1d7a0e-6a52-4c64-9d35-0f7b7c2f6a11',
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example.com/',
}

/**
 * Fields of an incident (the specification's incident payload), with an example of an open and of a resolved incident.
 */
export const incidentFields = {
  incident_id: z.uuid(),
  ...monitorFields,
  title: z.string(),
  status: z.string(),
  severity: z.string(),
  started_at: time,
  resolved_at: time.nullable(),
}
/**
 * How an incident ended: the check recovered, what it is judged by was changed while it failed (address, settings,
 * confirmations, policy of regions, severity), it was no longer checked (check or monitor disabled or on hold, team
 * paused or in the trash), what was checked was deleted, or a person resolved it.
 */
export const resolutions = ['recovered', 'changed', 'stopped', 'deleted', 'by_hand'] as const
export type Resolution = (typeof resolutions)[number]
export const resolutionMeaning =
  '`recovered`: the check is up again. `changed`: address, settings, confirmations, policy of regions or severity ' +
  'were changed while it failed; it is judged again. `stopped`: it is no longer checked. `deleted`: what was checked ' +
  'was deleted. `by_hand`: a person resolved it.'

/** Words of earlier versions, which stay in messages and audit entries of then. */
const formerResolutions: Readonly<Record<string, Resolution>> = { auto: 'recovered', manual: 'by_hand' }
/** The resolution that was stored, in the words of today; null: none, or one that is not known. */
export const resolutionOf = (stored: unknown): Resolution | null =>
  typeof stored === 'string' ? (formerResolutions[stored] ?? resolutions.find(known => known === stored) ?? null) : null

/** Further fields of an incident. Optional: stored messages of earlier versions lack them. */
export const optionalIncidentFields = {
  number: z.int().optional().meta({ description: 'Counts the incidents of a team from one.' }),
  check_type: z.string().optional(),
  cause: z.string().nullable().optional().meta({ description: 'What is wrong, in a sentence.' }),
  code: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Stable identifier of the cause: `wrong_status`, `timeout`, `missed` …' }),
  resolution: z.string().nullable().optional().meta({ description: resolutionMeaning }),
  duration_s: z
    .int()
    .nullable()
    .optional()
    .meta({
      description:
        'How long it was down, in whole seconds, without what uptime does not count (maintenance, pauses, time ' +
        'without data); null: it is not over.',
    }),
  timezone: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Timezone of a cron monitor, the only kind that has one.' }),
  quorum: z
    .record(z.string(), z.unknown())
    .meta({
      // the OpenAPI document refers to the schema of the incident endpoint
      override({
        jsonSchema,
      }: {
        jsonSchema: { type?: string; propertyNames?: unknown; additionalProperties?: unknown; $ref?: string }
      }) {
        for (const name of ['type', 'propertyNames', 'additionalProperties'] as const) delete jsonSchema[name]
        jsonSchema.$ref = '#/components/schemas/QuorumProof'
      },
    })
    .optional()
    .meta({
      description:
        'Why it was opened: how many regions had to agree, which regions were eligible, and the result of each.',
    }),
}
const phases = { dns: 3.2, connect: 18.4, tls: 41.7, first_byte: 96.1, total: 97.3 }
const error = { code: 'wrong_status', message: 'The site answered with status 503.' }
const failed = { phases, error, http_status: 503, excerpt: 'upstream connect error', at: '2026-01-15T08:30:02.000000Z' }
const none = { dns: null, connect: null, tls: null, first_byte: null, total: null }
export const incident = {
  incident_id: '0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21',
  ...monitor,
  title: 'Shop is down',
  status: 'investigating',
  severity: 'critical',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
  number: 12,
  check_type: 'uptime',
  cause: error.message,
  code: error.code,
  resolution: null,
  duration_s: null,
  timezone: null,
  quorum: {
    policy: { mode: 'majority', count: null },
    required: 2,
    asked: ['eu-west', 'us-east', 'ap-south'],
    failed: ['eu-west', 'us-east'],
    ok: ['ap-south'],
    silent: [],
    excluded: [],
    regions: {
      'eu-west': failed,
      'us-east': {
        ...failed,
        phases: { ...none, dns: 2.8, total: 10_000 },
        error: { code: 'timeout', message: 'The connection was not made in time.' },
        http_status: null,
        excerpt: null,
      },
      'ap-south': { ...failed, phases: { ...phases, total: 231.4 }, error: null, http_status: 200, excerpt: null },
    },
  },
}
export const resolved = {
  ...incident,
  status: 'resolved',
  resolution: 'recovered',
  resolved_at: '2026-01-15T08:42:10.000000Z',
  duration_s: 730,
}
