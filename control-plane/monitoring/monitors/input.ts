import { z } from 'zod'
import { regionName } from '#contract/agent.ts'
import { line, text } from '#contract/line.ts'
import { policyModes } from '#control-plane/db/model/shapes.ts'
import { maxChecks, monitorTypes, NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { Slo } from '#control-plane/monitoring/objectives/input.ts'

const tag = line(50).refine(text => !text.includes(','), 'A tag must not contain commas.')
const distinct = <Item>(items: Item[]) => [...new Set(items)]

const RegionPolicy = z
  .object({
    mode: z.enum(policyModes),
    count: z
      .int()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: 'How many regions must agree, in mode `count`; never more than report.' }),
  })
  .superRefine(({ mode, count }, context) => {
    if (mode === 'count' && count === null)
      context.addIssue({ code: 'custom', path: ['count'], message: 'Say how many regions must agree.' })
    if (mode !== 'count' && count !== null)
      context.addIssue({ code: 'custom', path: ['count'], message: 'Goes with mode count only.' })
  })
  .meta({ id: 'RegionPolicy', description: 'How many regions must see a target down before it is down.' })

const metadata = z
  .record(z.string().min(1).max(100), z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
  .refine(values => Object.keys(values).length <= 50, 'At most 50 entries.')

/** Fields of a monitor without their defaults, so that an update changes only the fields that are sent. */
const fields = {
  name: line(255),
  url: z
    .string()
    .min(1)
    .max(2_048)
    .refine(url => Buffer.byteLength(url) <= 2_048, 'At most 2,048 bytes.')
    .meta({
      description:
        'The web address, https without a scheme; for hosts a name or address, with or without `host://` in front.',
    }),
  tags: z.array(tag).max(20).overwrite(distinct),
  group: line(100).nullable(),
  notes: text(5_000).nullable(),
  is_enabled: z.boolean(),
  check_interval: z
    .int()
    .min(1)
    .max(86_400)
    .meta({ description: 'Seconds between runs, not below the plan’s minimum.' }),
  timeout: z.int().min(1).max(60).meta({
    description: 'Seconds after which a run is given up, a confirmation run too; never longer than `check_interval`.',
  }),
  regions: z
    .array(regionName)
    .max(50)
    .overwrite(distinct)
    .meta({ description: 'The regions that run the checks. Empty: all regions.' }),
  region_policy: RegionPolicy,
  confirmations: z.int().min(1).max(10).meta({ description: 'Failures in a row before a region votes down.' }),
  recovery_confirmations: z
    .int()
    .min(1)
    .max(10)
    .meta({ description: 'Successes in a row before a region that voted down votes up.' }),
  depends_on: z
    .array(z.uuid().toLowerCase())
    .max(10)
    .overwrite(distinct)
    .meta({ description: 'Monitors that must be up for this one to open incidents.' }),
  escalation_policy_id: z.uuid().toLowerCase().nullable().meta({
    description:
      'The policy that calls people of its incidents; null: the default policy of the team, if there is one.',
  }),
  external_ref: line(255).nullable(),
  metadata,
  slo: Slo.nullable(),
}

const type = z.enum(monitorTypes, {
  error: ({ input }) =>
    input === 'cron' || input === 'agent'
      ? `Monitors of type ${input} are made by POST /${input}-monitors.`
      : undefined,
})

export const NewMonitor = z
  .object({
    ...fields,
    type: type.default('website'),
    tags: fields.tags.default([]),
    group: fields.group.default(null),
    notes: fields.notes.default(null),
    is_enabled: fields.is_enabled.default(true),
    check_interval: fields.check_interval.optional(),
    timeout: fields.timeout.default(10),
    regions: fields.regions.default([]),
    region_policy: fields.region_policy.default({ mode: 'majority', count: null }),
    confirmations: fields.confirmations.default(2),
    recovery_confirmations: fields.recovery_confirmations.default(2),
    depends_on: fields.depends_on.default([]),
    escalation_policy_id: fields.escalation_policy_id.default(null),
    external_ref: fields.external_ref.default(null),
    metadata: fields.metadata.default({}),
    slo: fields.slo.default(null),
    checks: z
      .array(NewCheck)
      .max(maxChecks)
      .optional()
      .meta({ description: 'By default an uptime check for a website, a ping for a host.' }),
  })
  .meta({ id: 'NewMonitor' })
export type NewMonitor = z.output<typeof NewMonitor>

/** The fields of a monitor without runs, such as a job or a server. */
const ofPassive = {
  name: true,
  tags: true,
  group: true,
  notes: true,
  is_enabled: true,
  depends_on: true,
  escalation_policy_id: true,
  external_ref: true,
  metadata: true,
  slo: true,
} as const
export const NewPassive = NewMonitor.pick(ofPassive)

/** What of a monitor can change. The type cannot: its checks would not fit. */
export const MonitorChanges = z
  .object({ ...fields, type })
  .partial()
  .meta({ id: 'MonitorChanges' })
export type MonitorChanges = z.output<typeof MonitorChanges>
export const PassiveChanges = MonitorChanges.pick(ofPassive)
