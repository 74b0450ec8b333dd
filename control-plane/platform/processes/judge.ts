import type { ProcessReport } from './report.ts'

export const partNames = ['api', 'ingest', 'worker', 'postgres', 'clickhouse', 'temporal'] as const
type PartName = (typeof partNames)[number]

export const partStates = ['ok', 'degraded', 'unavailable'] as const

/** The state of a part of the installation; `why` is null where it is ok. */
export interface PartState {
  name: PartName
  state: (typeof partStates)[number]
  why: string | null
}

/** A process as others see it. */
export interface SeenProcess extends ProcessReport {
  /** Reported within half a minute. */
  isReporting: boolean
}

const ok = (name: PartName): PartState => ({ name, state: 'ok', why: null })
const bad = (name: PartName, state: 'degraded' | 'unavailable', why: string): PartState => ({ name, state, why })

/**
 * The parts of the installation as its processes see them. `measured`: why a store does not answer the process that
 * judges, or null.
 */
export function judgeParts(
  processes: readonly SeenProcess[],
  measured: Record<'postgres' | 'clickhouse', string | null>,
): PartState[] {
  return [
    judgeRole(processes, 'api'),
    judgeIngest(processes),
    judgeRole(processes, 'worker'),
    judgeStore(processes, 'postgres', measured.postgres),
    judgeStore(processes, 'clickhouse', measured.clickhouse),
    judgeTemporal(processes),
  ]
}

const having = (processes: readonly SeenProcess[], role: 'api' | 'ingest' | 'worker') =>
  processes.filter(({ roles }) => roles.includes(role))

function judgeRole(processes: readonly SeenProcess[], role: 'api' | 'ingest' | 'worker'): PartState {
  const all = having(processes, role)
  const silent = all.filter(({ isReporting }) => !isReporting)
  if (all.length === silent.length) return bad(role, 'unavailable', `no process of the role ${role} reports`)
  return silent.length > 0 ? bad(role, 'degraded', silenceOf(silent)) : ok(role)
}

const silenceOf = (silent: readonly SeenProcess[]) =>
  `no longer reporting: ${[...new Set(silent.map(({ host }) => host))].join(', ')}`

/** One process takes results and the others stand by. Regions that may not vote leave it degraded. */
function judgeIngest(processes: readonly SeenProcess[]): PartState {
  const byRole = judgeRole(processes, 'ingest')
  const reporting = having(processes, 'ingest').filter(({ isReporting }) => isReporting)
  if (reporting.length === 0) return byRole
  const leader = reporting.find(({ parts }) => parts.ingest?.is_ready)
  if (!leader) return bad('ingest', 'unavailable', reporting[0]?.parts.ingest?.why ?? 'no process takes results')
  const agents = leader.parts.agents?.why
  return agents ? bad('ingest', 'degraded', agents) : byRole
}

function judgeStore(
  processes: readonly SeenProcess[],
  store: 'postgres' | 'clickhouse',
  whyNot: string | null,
): PartState {
  if (whyNot !== null) return bad(store, 'unavailable', whyNot)
  const without = processes.filter(({ isReporting, parts }) => isReporting && parts[store]?.is_ready === false)
  const hosts = [...new Set(without.map(({ host }) => host))]
  return hosts.length > 0 ? bad(store, 'degraded', `not reached from ${hosts.join(', ')}`) : ok(store)
}

function judgeTemporal(processes: readonly SeenProcess[]): PartState {
  const workers = having(processes, 'worker').filter(({ isReporting }) => isReporting)
  if (workers.length === 0) return bad('temporal', 'unavailable', 'no process of the role worker reports')
  const without = workers.filter(({ parts }) => !parts.temporal?.is_ready)
  if (without.length === 0) return ok('temporal')
  const state = without.length < workers.length ? 'degraded' : 'unavailable'
  return bad('temporal', state, without[0]?.parts.temporal?.why ?? 'does not answer')
}
