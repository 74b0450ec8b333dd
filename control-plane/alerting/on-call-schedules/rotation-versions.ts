import { type Expression, sql } from 'kysely'
import { among, type Db, json, queries, stamp } from '#control-plane/db/queries.ts'
import type { Rotation, Rule, Version } from './duty.ts'
import { type RotationRow, readRotations, type ScheduleRow } from './rows.ts'
import { changeRule } from './versions.ts'

type Tenant = { id: string }
type Named = Pick<ScheduleRow, 'id' | 'timezone'>

interface Known {
  row: RotationRow
  /** The number of the first that is stored. */
  number: number
  stored: readonly Version[]
  /** With what changed since they were stored. */
  versions: readonly Version[]
}

const msOrNull = (text: string | null) => (text === null ? null : Date.parse(text))
const stampOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** The rotations of schedules, each list in its order, with the versions that count from an instant on. */
export async function readVersions(
  db: Db,
  tenant: Tenant,
  schedules: readonly Named[],
  from: Date,
): Promise<Map<string, Rotation[]>> {
  const known = await readKnown(db, tenant, schedules, from)
  return new Map(
    [...known].map(([id, rotations]) => [id, rotations.map(({ row, versions }) => rotationOf(row, versions))]),
  )
}

interface Stored {
  /** The rotations by the versions that were stored before, from now on. */
  before: Rotation[]
  after: Rotation[]
}

/**
 * Stores what changed in the rotations of a locked schedule since its versions were stored. Call it before its rows
 * are changed and after.
 */
export async function storeVersions(db: Db, tenant: Tenant, schedule: Named): Promise<Stored> {
  const known = (await readKnown(db, tenant, [schedule], new Date())).get(schedule.id) ?? []
  for (const { row, number, stored, versions } of known) {
    const kept = versions.filter(version => stored.includes(version)).length
    if (kept < Math.max(stored.length, versions.length))
      await replaceVersions(db, tenant, row.id, number + kept, versions.slice(kept))
  }
  return {
    // what no process has stored yet has not changed either
    before: known.map(({ row, stored, versions }) => rotationOf(row, stored.length > 0 ? stored : versions)),
    after: known.map(({ row, versions }) => rotationOf(row, versions)),
  }
}

const rotationOf = ({ id, name, users }: RotationRow, versions: readonly Version[]): Rotation => {
  return { id, name, users, versions }
}

/** Makes the versions of a rotation from a number on those of the list. */
async function replaceVersions(
  db: Db,
  tenant: Tenant,
  rotationId: string,
  number: number,
  versions: readonly Version[],
): Promise<void> {
  await queries(db)
    .deleteFrom('on_call_rotation_versions')
    .where('tenant_id', '=', tenant.id)
    .where('rotation_id', '=', rotationId)
    .where('number', '>=', number)
    .execute()
  if (versions.length === 0) return
  await queries(db)
    .insertInto('on_call_rotation_versions')
    .values(
      versions.map((version, index) => ({
        rotation_id: rotationId,
        number: number + index,
        tenant_id: tenant.id,
        from_at: Number.isFinite(version.from) ? stampOrNull(version.from) : null,
        timezone: version.timezone,
        users: sql<string[]>`${[...version.users]}::uuid[]`,
        handoff: version.handoff,
        shift_minutes: version.shiftMinutes,
        first_handoff_at: version.firstHandoffAt,
        restrictions: json(version.restrictions.map(({ days, from, to }) => ({ days, from, to }))),
        starts_at: stampOrNull(version.startsAt),
        ends_at: stampOrNull(version.endsAt),
        turn: version.turn,
        first: version.first,
      })),
    )
    .execute()
}

/**
 * What changed by other ways than the API (a person has left, or a process of another version wrote the rows) counts
 * from when the schedule became due for its examination by it.
 */
async function readKnown(
  db: Db,
  tenant: Tenant,
  schedules: readonly Named[],
  from: Date,
): Promise<Map<string, Known[]>> {
  const rotations = await readRotations(
    db,
    tenant,
    schedules.map(({ id }) => id),
  )
  const rows = [...rotations.values()].flat()
  const stored = await selectVersions(db, tenant, rows, from)
  const users = [...rows, ...[...stored.values()].flat()].flatMap(row => row.users)
  const present = await readPresent(db, tenant, users)
  return new Map(
    schedules.map(({ id, timezone }) => [
      id,
      (rotations.get(id) ?? []).map(row => {
        const found = stored.get(row.id) ?? []
        const at = found[0] ? Date.parse(found[0].due_at) : Number.NaN
        const isPresent = (user: string) => present.has(user)
        const before = found.map(versionOf)
        const versions = changeRule(before, ruleOf(row, timezone, isPresent), at, isPresent)
        return { row, number: found[0]?.number ?? 0, stored: before, versions }
      }),
    ]),
  )
}

const dueOrEarlier = (due: Expression<string>, from: Date) =>
  sql<string>`least(${from.toISOString()}::timestamptz, ${due}, clock_timestamp())`

/** The versions that count at an instant, or now, or since their schedule is due, and those after them. */
async function selectVersions(db: Db, tenant: Tenant, rotations: readonly RotationRow[], from: Date) {
  const rows = await queries(db)
    .selectFrom('on_call_rotation_versions as v')
    .innerJoin('on_call_rotations as r', 'r.id', 'v.rotation_id')
    .innerJoin('on_call_schedules as s', 's.id', 'r.schedule_id')
    .where('v.tenant_id', '=', tenant.id)
    .where('v.rotation_id', '=', among(rotations.map(({ id }) => id)))
    .where(({ not, exists, selectFrom, ref, eb }) =>
      not(
        exists(
          selectFrom('on_call_rotation_versions as n')
            .whereRef('n.rotation_id', '=', 'v.rotation_id')
            .where('n.number', '=', eb('v.number', '+', 1))
            .where('n.from_at', '<=', dueOrEarlier(ref('s.watch_at'), from))
            .select('n.number'),
        ),
      ),
    )
    .select(['v.rotation_id', 'v.number', 'v.timezone', 'v.handoff', 'v.shift_minutes', 'v.first_handoff_at'])
    .select(['v.turn', 'v.first'])
    .select(({ ref }) => [
      sql<string[]>`${ref('v.users')}::text[]`.as('users'),
      ref('v.restrictions').$castTo<Rule['restrictions']>().as('restrictions'),
      stamp(ref('v.from_at')).as('from_at'),
      stamp(ref('v.starts_at')).as('starts_at'),
      stamp(ref('v.ends_at')).as('ends_at'),
      stamp(sql<string>`least(${ref('s.watch_at')}, clock_timestamp())`).as('due_at'),
    ])
    .orderBy('v.number')
    .execute()
  return Map.groupBy(rows, row => row.rotation_id)
}

/** Those people who are members of the team and not disabled in it. */
async function readPresent(db: Db, tenant: Tenant, users: readonly string[]): Promise<Set<string>> {
  const rows = await queries(db)
    .selectFrom('memberships')
    .where('tenant_id', '=', tenant.id)
    .where('user_id', '=', among([...new Set(users)]))
    .where('disabled_at', 'is', null)
    .select('user_id')
    .execute()
  return new Set(rows.map(row => row.user_id))
}

type Turns = Pick<
  RotationRow,
  'handoff' | 'shift_minutes' | 'first_handoff_at' | 'restrictions' | 'starts_at' | 'ends_at'
>

/** What a rotation and its versions say of turns alike. */
const turnsOf = (row: Turns) => ({
  handoff: row.handoff,
  shiftMinutes: row.shift_minutes,
  firstHandoffAt: row.first_handoff_at,
  restrictions: row.restrictions,
  startsAt: msOrNull(row.starts_at),
  endsAt: msOrNull(row.ends_at),
})

/** What a rotation says now, of the people who are present. */
const ruleOf = (row: RotationRow, timezone: string, isPresent: (user: string) => boolean): Rule => ({
  timezone,
  users: row.users.filter(isPresent),
  ...turnsOf(row),
})

type VersionRow = Awaited<ReturnType<typeof selectVersions>> extends Map<string, (infer Each)[]> ? Each : never

const versionOf = (row: VersionRow): Version => ({
  from: row.from_at === null ? -Infinity : Date.parse(row.from_at),
  timezone: row.timezone,
  users: row.users,
  ...turnsOf(row),
  turn: row.turn,
  first: row.first,
})
