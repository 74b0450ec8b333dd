import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { alertsOf, type Flaps, holders, type Told } from './alerts.ts'
import type { SettingChange } from './changes.ts'
import type { Stretch } from './moments.ts'
import type { RealIncident } from './read.ts'
import type { Course, Replayed } from './replay.ts'

const time = z.string().meta({ format: 'date-time' })
const alerts = ['incident.created', 'incident.resolved'] as const

/** Incidents shown of a kind, the newest; totals count all. */
export const maxShown = 1_000

const shared = {
  check_id: z.uuid(),
  check_type: z.string(),
  started_at: time,
  confirmed_at: time,
  resolved_at: time.nullable(),
  minutes: z.number().meta({ description: 'Within the time asked for.' }),
  regions: z.array(z.string()).meta({ description: 'Those that saw it when it was opened.' }),
  alerts: z.array(z.enum(alerts)),
  held_by: z
    .enum(holders)
    .nullable()
    .meta({ description: 'What kept its alerts from people, for a while or for good.' }),
  held_alerts: z.array(z.enum(alerts)).meta({ description: 'Those that did not go out.' }),
}
const Totals = z
  .object({
    incidents: z.int(),
    alerts: z.int().meta({ description: 'Of single incidents, and that the monitor flaps, or no longer does.' }),
    held_alerts: z.int().meta({
      description: 'Of single incidents, kept from people: gathered by flapping or a storm, or muted by a snooze.',
    }),
    flapping: z.int().meta({ description: 'How often the monitor began to flap.' }),
    minutes: z.number(),
    longest_minutes: z.number(),
  })
  .meta({ id: 'SimulationTotals' })
type Totals = z.output<typeof Totals>
const Difference = z
  .object({ incidents: z.int(), alerts: z.int(), minutes: z.number() })
  .meta({ id: 'SimulationDifference' })

export const SimulationView = z
  .object({
    monitor_id: z.uuid(),
    from: time,
    to: time,
    looks: z.int().meta({ description: 'Stored looks, and pings of jobs, that were gone through.' }),
    were: Totals.extend({
      list: z.array(
        z.object({
          incident_id: z.uuid(),
          number: z.int(),
          resolution: z.enum(['auto', 'manual']).nullable(),
          ...shared,
        }),
      ),
    }),
    unchanged: Totals.meta({ description: 'What the same looks give by the settings of today.' }),
    would_be: Totals.extend({
      list: z.array(
        z.object({
          incident_id: z.uuid().nullable().meta({ description: 'The one that was at that time.' }),
          ...shared,
        }),
      ),
    }),
    difference: Difference.meta({ description: 'Of what would be to the same looks by the settings of today.' }),
    changes: z
      .array(
        z.object({
          check_id: z.uuid().nullable(),
          setting: z.string(),
          from: z.unknown(),
          to: z.unknown(),
          alone: Totals.meta({ description: 'Had only this been other.' }),
          difference: Difference,
          matters: z.boolean(),
        }),
      )
      .meta({ description: 'Each changed setting alone.' }),
    notes: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .meta({ description: 'What a replay cannot know.' }),
  })
  .meta({ id: 'Simulation' })
export type SimulationView = z.input<typeof SimulationView>

type Shown = z.output<z.ZodObject<typeof shared>>

const minutesOf = (ms: number) => Math.round(ms / 600) / 100

const moment = (at: number) => stamp(new Date(at))

interface Facts {
  startedAt: number
  confirmedAt: number
  endedAt: number | null
  regions: readonly string[]
  told: Told
}

const isWithin = ({ from, to }: Stretch, at: number | null) => at !== null && at >= from && at < to

function show(
  check: Pick<CheckRow, 'id' | 'type'>,
  { startedAt, confirmedAt, endedAt, regions, told }: Facts,
  stretch: Stretch,
): Shown {
  const due = alerts.filter(alert => isWithin(stretch, alert === 'incident.created' ? confirmedAt : endedAt))
  const sent =
    told.toldAt === null
      ? []
      : alerts.filter(alert => isWithin(stretch, alert === 'incident.created' ? told.toldAt : endedAt))
  const { from, to } = stretch
  return {
    check_id: check.id,
    check_type: check.type,
    started_at: moment(startedAt),
    confirmed_at: moment(confirmedAt),
    resolved_at: endedAt === null ? null : moment(endedAt),
    minutes: minutesOf(Math.max(0, Math.min(endedAt ?? to, to) - Math.max(startedAt, from))),
    regions: regions.filter(region => region !== directRegion),
    alerts: sent,
    held_by: told.heldBy,
    held_alerts: due.filter(alert => !sent.includes(alert)),
  }
}

const touches = (startedAt: number, endedAt: number | null, { from, to }: Stretch) =>
  startedAt < to && (endedAt === null || endedAt > from)

const showReplayed = (
  check: Pick<CheckRow, 'id' | 'type'>,
  incidents: readonly Replayed[],
  told: ReadonlyMap<Replayed, Told>,
  stretch: Stretch,
): Shown[] =>
  incidents.flatMap(incident =>
    touches(incident.startedAt, incident.endedAt, stretch)
      ? show(
          check,
          { ...incident, told: told.get(incident) ?? { heldBy: null, toldAt: incident.confirmedAt } },
          stretch,
        )
      : [],
  )

/** What was or would be of a monitor within a stretch. */
interface Seen<Incident extends Shown = Shown> {
  incidents: readonly Incident[]
  totals: Totals
}

export const seen = <Incident extends Shown>(
  incidents: readonly Incident[],
  flaps: readonly Flaps[],
  stretch: Stretch,
): Seen<Incident> => ({
  incidents,
  totals: totalsOf(incidents, flaps, stretch),
})

/** All that came of a monitor's checks by one set of settings. */
export function showCourse(
  courses: readonly { check: Pick<CheckRow, 'id' | 'type'>; course: Course }[],
  snoozes: ReadonlyMap<string, readonly Stretch[]>,
  stretch: Stretch,
): Seen {
  const { told, flaps } = alertsOf(
    courses.map(({ check, course }) => ({ check: check.id, course })),
    { snoozes, rules: defaultSuppression.flapping, to: stretch.to },
  )
  return seen(
    courses.flatMap(({ check, course }) => showReplayed(check, course.incidents, told, stretch)),
    flaps.filter(({ endedAt }) => endedAt === null || endedAt > stretch.from),
    stretch,
  )
}

export const showReal = (
  check: Pick<CheckRow, 'id' | 'type'>,
  incident: RealIncident,
  stretch: Stretch,
): SimulationView['were']['list'][number] => ({
  incident_id: incident.id,
  number: incident.number,
  resolution: incident.resolution === 'auto' || incident.resolution === 'manual' ? incident.resolution : null,
  ...show(
    check,
    {
      startedAt: incident.started_at,
      confirmedAt: incident.confirmed_at,
      endedAt: incident.resolved_at,
      regions: incident.regions,
      told: { heldBy: incident.held_by, toldAt: incident.held_by === null ? incident.confirmed_at : null },
    },
    stretch,
  ),
})

function totalsOf(incidents: readonly Shown[], flaps: readonly Flaps[], stretch: Stretch): Totals {
  const ofFlapping = flaps.reduce(
    (sum, { toldAt, endedAt }) =>
      sum + Number(isWithin(stretch, toldAt)) + Number(toldAt !== null && isWithin(stretch, endedAt)),
    0,
  )
  return {
    incidents: incidents.length,
    alerts: ofFlapping + incidents.reduce((sum, { alerts }) => sum + alerts.length, 0),
    held_alerts: incidents.reduce((sum, { held_alerts }) => sum + held_alerts.length, 0),
    flapping: flaps.length,
    minutes: hundredths(incidents.reduce((sum, { minutes }) => sum + minutes, 0)),
    longest_minutes: incidents.reduce((longest, { minutes }) => Math.max(longest, minutes), 0),
  }
}

const hundredths = (number: number) => Math.round(number * 100) / 100

export const differenceOf = (totals: Totals, before: Totals): z.output<typeof Difference> => ({
  incidents: totals.incidents - before.incidents,
  alerts: totals.alerts - before.alerts,
  minutes: hundredths(totals.minutes - before.minutes),
})

/** The newest that may be shown, each beside the one that was at that time. */
export const besideReal = (
  incidents: readonly Shown[],
  were: Readonly<SimulationView['were']['list']>,
): SimulationView['would_be']['list'] =>
  newest(incidents).map(incident => ({
    incident_id:
      were.find(real => real.check_id === incident.check_id && overlaps(real, incident))?.incident_id ?? null,
    ...incident,
  }))

export const newest = <Item extends Pick<Shown, 'started_at'>>(incidents: readonly Item[]): Item[] =>
  incidents.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1)).slice(-maxShown)

// stamps of one form are in the order of their moments
const overlaps = (a: Pick<Shown, 'started_at' | 'resolved_at'>, b: Pick<Shown, 'started_at' | 'resolved_at'>) =>
  (b.resolved_at === null || a.started_at <= b.resolved_at) && (a.resolved_at === null || b.started_at <= a.resolved_at)

export const showChange = (change: SettingChange, alone: Seen, unchanged: Seen): SimulationView['changes'][number] => {
  const difference = differenceOf(alone.totals, unchanged.totals)
  return {
    check_id: change.check,
    setting: change.setting,
    from: change.from,
    to: change.to,
    alone: alone.totals,
    difference,
    matters:
      difference.alerts !== 0 ||
      alone.incidents.length !== unchanged.incidents.length ||
      alone.incidents.some((incident, index) => !isSame(incident, unchanged.incidents[index])),
  }
}

const isSame = (a: Shown, b: Shown | undefined) =>
  a.check_id === b?.check_id && a.confirmed_at === b.confirmed_at && a.resolved_at === b.resolved_at
