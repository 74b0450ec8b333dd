import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '#control-plane/base/refusal.ts'
import { among, json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { ordered, type RotationInput } from './input.ts'
import { validateMembers } from './members.ts'
import { type RotationRow, readRotations } from './rows.ts'
import { viewRotation } from './view.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

/** Makes the rotations of a locked schedule those of the list: adds, changes and deletes. */
export async function writeRotations(
  context: Context,
  scheduleId: string,
  sent: readonly RotationInput[],
): Promise<RotationRow[]> {
  const { em, tenant } = context
  const before = (await readRotations(em, tenant, [scheduleId])).get(scheduleId) ?? []
  validateIds(sent, before)
  const named = sent.flatMap(({ users }, index) =>
    users.map((id, place) => ({ field: `rotations.${index}.users.${place}`, id })),
  )
  await validateMembers(em, tenant, named)
  const rotations = ordered(sent).map(rotation => ({ ...rotation, id: rotation.id ?? randomUUID() }))
  const kept = new Set(rotations.map(({ id }) => id))
  await deleteRotations(
    context,
    before.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  )
  await storeRotations(context, scheduleId, rotations)
  const after = (await readRotations(em, tenant, [scheduleId])).get(scheduleId) ?? []
  auditChanges(context, scheduleId, before, after)
  return after
}

function validateIds(sent: readonly RotationInput[], before: readonly RotationRow[]): void {
  const known = new Set(before.map(({ id }) => id))
  const seen = new Set<string>()
  for (const [index, { id }] of sent.entries()) {
    if (id === undefined) continue
    const field = `rotations.${index}.id`
    if (!known.has(id)) throw invalid({ [field]: ['The schedule has no such rotation.'] })
    if (seen.has(id)) throw invalid({ [field]: ['Names a rotation twice.'] })
    seen.add(id)
  }
}

async function deleteRotations({ em, tenant }: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await queries(em)
    .deleteFrom('on_call_rotations')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', among(ids))
    .execute()
}

/** Three statements, however many rotations and people. */
async function storeRotations(
  { em, tenant, now }: Context,
  scheduleId: string,
  rotations: readonly (RotationInput & { id: string; order: number })[],
): Promise<void> {
  if (rotations.length === 0) return
  const db = queries(em)
  const at = now.toISOString()
  await db
    .insertInto('on_call_rotations')
    .values(
      rotations.map(rotation => ({
        id: rotation.id,
        tenant_id: tenant.id,
        schedule_id: scheduleId,
        position: rotation.order,
        name: rotation.name,
        handoff: rotation.handoff,
        shift_minutes: rotation.shift_minutes,
        first_handoff_at: rotation.first_handoff_at,
        restrictions: json(rotation.restrictions),
        starts_at: rotation.starts_at?.toISOString() ?? null,
        ends_at: rotation.ends_at?.toISOString() ?? null,
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        name: ref('excluded.name'),
        handoff: ref('excluded.handoff'),
        shift_minutes: ref('excluded.shift_minutes'),
        first_handoff_at: ref('excluded.first_handoff_at'),
        restrictions: ref('excluded.restrictions'),
        starts_at: ref('excluded.starts_at'),
        ends_at: ref('excluded.ends_at'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .execute()
  await db
    .deleteFrom('on_call_rotation_users')
    .where('tenant_id', '=', tenant.id)
    .where('rotation_id', '=', among(rotations.map(({ id }) => id)))
    .execute()
  await db
    .insertInto('on_call_rotation_users')
    .values(
      rotations.flatMap(({ id, users }) =>
        users.map((user_id, position) => ({ rotation_id: id, user_id, tenant_id: tenant.id, position })),
      ),
    )
    .execute()
}

function auditChanges(
  { audit }: Context,
  scheduleId: string,
  before: readonly RotationRow[],
  after: readonly RotationRow[],
): void {
  const old = new Map(before.map(row => [row.id, viewRotation(row)]))
  const entity = (id: string) => ({ type: 'on_call_rotation' as const, id })
  for (const row of after) {
    const { id, ...view } = viewRotation(row)
    const was = old.get(id)
    old.delete(id)
    if (!was) {
      audit('on_call_rotation.created', entity(id), { schedule_id: scheduleId, ...view })
      continue
    }
    const names = (Object.keys(view) as (keyof typeof view)[]).filter(name => !isDeepStrictEqual(was[name], view[name]))
    if (names.length > 0)
      audit('on_call_rotation.updated', entity(id), {
        schedule_id: scheduleId,
        ...Object.fromEntries(names.map(name => [name, { before: was[name], after: view[name] }])),
      })
  }
  for (const [id, { name }] of old) audit('on_call_rotation.deleted', entity(id), { schedule_id: scheduleId, name })
}
