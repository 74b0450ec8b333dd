import { z } from 'zod'
import { resolutionOf, resolutions } from '#contract/incident.ts'
import { stamp } from '#contract/time.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { without } from '#control-plane/monitoring/statistics/judged-time.ts'
import { alertsOf, type FlappingInterval, type IncidentNotification, suppressionCauses } from './alerts.ts'
import type { SettingChange } from './changes.ts'
import type { Interval, Maintenance } from './moments.ts'
import type { RealIncident } from './read.ts'
import type { ReplayedIncident, Timeline } from './replay.ts'

const time = z.string().meta({ format: 'date-time' })
const alerts = ['incident.created', 'incident.resolved'] as const

/** Incidents that a list shows, the newest; totals count all. */
export const maxShown = 1_000

const shared = {
  check_id: z.uuid(),
  check_type: z.string(),
  started_at: time,
  confirmed_at: time,
  resolved_at: time.nullable(),
  minutes: z.number().meta({
    description: 'Within the time asked for, without maintenance that does not count towards uptime.',
  }),
  regions: z.array(z.string()).meta({ description: 'The failing regions when it was opened.' }),
  alerts: z.array(z.enum(alerts).meta({ id: 'MonitorAlert' })),
  held_by: z
    .enum(suppressionCauses)
    .nullable()
    .meta({ description: 'What suppressed its alerts, for a while or for good.' }),
  held_alerts: z.array(z.enum(alerts)).meta({ description: 'Those that were not sent.' }),
}
const Totals = z
  .object({
    incidents: z.int(),
    alerts: z.int().meta({ description: 'Of single incidents, and of the beginning and end of flapping.' }),
    held_alerts: z.int().meta({
      description:
        'Of single incidents: grouped by flapping or a storm, suppressed by maintenance, or muted by a snooze.',
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
    looks: z.int().meta({ description: 'Stored results, pings of jobs and minutes of servers that were replayed.' }),
    were: Totals.extend({
      list: z.array(
        z.object({
          incident_id: z.uuid(),
          number: z.int(),
          resolution: z.enum(resolutions).nullable(),
          ...shared,
        }),
      ),
    }),
    unchanged: Totals.meta({ description: 'What the same results give by the settings of today.' }),
    would_be: Totals.extend({
      list: z.array(
        z.object({
          incident_id: z.uuid().nullable().meta({ description: 'The real incident at that time.' }),
          ...shared,
        }),
      ),
    }),
    difference: Difference.meta({
      description: 'Between the other settings and those of today, for the same results.',
    }),
    changes: z
      .array(
        z.object({
          check_id: z.uuid().nullable(),
          setting: z.string(),
          from: z.unknown(),
          to: z.unknown(),
          alone: Totals.meta({ description: 'With only this setting changed.' }),
          difference: Difference,
          matters: z.boolean(),
        }),
      )
      .meta({ description: 'Each changed setting alone.' }),
    notes: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .meta({ description: 'What the backtest could not know.' }),
  })
  .meta({ id: 'Simulation' })
export type SimulationView = z.input<typeof SimulationView>

type Shown = z.output<z.ZodObject<typeof shared>>

const minutesOf = (ms: number) => Math.round(ms / 600) / 100

const moment = (at: number) => stamp(new Date(at))

interface ReplayedOrReal {
  startedAt: number
  confirmedAt: number
  endedAt: number | null
  regions: readonly string[]
  notification: IncidentNotification
}

/** The time asked for. */
export interface BacktestPeriod extends Interval {
  maintenance: Maintenance
}

const isWithin = ({ from, to }: Interval, at: number | null) => at !== null && at >= from && at < to

function show(
  check: Pick<CheckRow, 'id' | 'type'>,
  { startedAt, confirmedAt, endedAt, regions, notification }: ReplayedOrReal,
  period: BacktestPeriod,
): Shown {
  const due = alerts.filter(alert => isWithin(period, alert === 'incident.created' ? confirmedAt : endedAt))
  const sent =
    notification.notifiedAt === null
      ? []
      : alerts.filter(alert => isWithin(period, alert === 'incident.created' ? notification.notifiedAt : endedAt))
  const span = { from: Math.max(startedAt, period.from), to: Math.min(endedAt ?? period.to, period.to) }
  const counted = span.from < span.to ? without(span, period.maintenance.excluded) : []
  return {
    check_id: check.id,
    check_type: check.type,
    started_at: moment(startedAt),
    confirmed_at: moment(confirmedAt),
    resolved_at: endedAt === null ? null : moment(endedAt),
    minutes: minutesOf(counted.reduce((ms, { from, to }) => ms + to - from, 0)),
    regions: regions.filter(region => region !== directRegion),
    alerts: sent,
    held_by: notification.suppressedBy,
    held_alerts: due.filter(alert => !sent.includes(alert)),
  }
}

const touches = (startedAt: number, endedAt: number | null, { from, to }: Interval) =>
  startedAt < to && (endedAt === null || endedAt > from)

const showReplayed = (
  check: Pick<CheckRow, 'id' | 'type'>,
  incidents: readonly ReplayedIncident[],
  notifications: ReadonlyMap<ReplayedIncident, IncidentNotification>,
  period: BacktestPeriod,
): Shown[] =>
  incidents.flatMap(incident =>
    touches(incident.startedAt, incident.endedAt, period)
      ? show(
          check,
          {
            ...incident,
            notification: notifications.get(incident) ?? { suppressedBy: null, notifiedAt: incident.confirmedAt },
          },
          period,
        )
      : [],
  )

/** The real or replayed incidents of a monitor within a period. */
interface Summary<Incident extends Shown = Shown> {
  incidents: readonly Incident[]
  totals: Totals
}

export const summarise = <Incident extends Shown>(
  incidents: readonly Incident[],
  flappings: readonly FlappingInterval[],
  period: Interval,
): Summary<Incident> => ({
  incidents,
  totals: totalsOf(incidents, flappings, period),
})

/** The incidents of all checks of a monitor by one set of settings. */
export function showTimelines(
  timelines: readonly { check: Pick<CheckRow, 'id' | 'type'>; timeline: Timeline }[],
  snoozes: ReadonlyMap<string, readonly Interval[]>,
  period: BacktestPeriod,
): Summary {
  const { notifications, flappings } = alertsOf(
    timelines.map(({ check, timeline }) => ({ check: check.id, timeline })),
    { snoozes, maintenance: period.maintenance.all, rules: defaultSuppression.flapping, to: period.to },
  )
  return summarise(
    timelines.flatMap(({ check, timeline }) => showReplayed(check, timeline.incidents, notifications, period)),
    flappings.filter(({ endedAt }) => endedAt === null || endedAt > period.from),
    period,
  )
}

export const showReal = (
  check: Pick<CheckRow, 'id' | 'type'>,
  incident: RealIncident,
  period: BacktestPeriod,
): SimulationView['were']['list'][number] => ({
  incident_id: incident.id,
  number: incident.number,
  resolution: resolutionOf(incident.resolution),
  ...show(
    check,
    {
      startedAt: incident.started_at,
      confirmedAt: incident.confirmed_at,
      endedAt: incident.resolved_at,
      regions: incident.regions,
      notification: {
        suppressedBy: incident.suppressed_by,
        notifiedAt: incident.suppressed_by === null ? incident.confirmed_at : null,
      },
    },
    period,
  ),
})

function totalsOf(incidents: readonly Shown[], flappings: readonly FlappingInterval[], period: Interval): Totals {
  const ofFlapping = flappings.reduce(
    (sum, { notifiedAt, endedAt }) =>
      sum + Number(isWithin(period, notifiedAt)) + Number(notifiedAt !== null && isWithin(period, endedAt)),
    0,
  )
  return {
    incidents: incidents.length,
    alerts: ofFlapping + incidents.reduce((sum, { alerts }) => sum + alerts.length, 0),
    held_alerts: incidents.reduce((sum, { held_alerts }) => sum + held_alerts.length, 0),
    flapping: flappings.length,
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

/** The newest incidents that may be shown, each with the real one at that time. */
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

// stamps of one format sort like the moments that they show
const overlaps = (a: Pick<Shown, 'started_at' | 'resolved_at'>, b: Pick<Shown, 'started_at' | 'resolved_at'>) =>
  (b.resolved_at === null || a.started_at <= b.resolved_at) && (a.resolved_at === null || b.started_at <= a.resolved_at)

export const showChange = (
  change: SettingChange,
  alone: Summary,
  unchanged: Summary,
): SimulationView['changes'][number] => {
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
