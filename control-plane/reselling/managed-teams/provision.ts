import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Plan } from '#contract/plans.ts'
import { daysAfter, stamp } from '#contract/time.ts'
import { invalid, type Refusal } from '#control-plane/base/refusal.ts'
import { json, queries, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { addPerson, type NewPerson } from '#control-plane/identity/users/add-person.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import { applyProfile, noMonitors, readProfile } from '#control-plane/reselling/provisioning-profiles/apply-profile.ts'
import { startTrial } from './follow-trial.ts'
import { type BareTeamRow, selectBareTeams } from './row.ts'

type ProvisionContext = Pick<RequestContext, 'em' | 'now' | 'services' | 'emit' | 'start' | 'audit' | 'mail'>

/** The first owner of a new team. */
export type FirstOwner = Pick<NewPerson, 'name' | 'email' | 'password' | 'language' | 'isProven'>

interface NewTeam {
  /** Of the managed team; a new one by default. */
  id?: string
  name: string
  slug: string
  plan?: Plan | undefined
  label?: string | null | undefined
  external_ref: string | null
  metadata?: Record<string, string | number | boolean | null> | undefined
  trial_days?: number | null | undefined
  profile_id?: string | null | undefined
  variables?: Record<string, string> | undefined
  owner?: FirstOwner | undefined
}

/** Of a slug that belongs to a team of the reseller's trash, it says so. */
async function slugTaken(em: EntityManager, reseller: { id: string }, slug: string): Promise<Refusal> {
  const trashed = await queries(em)
    .selectFrom('managed_teams')
    .where('reseller_id', '=', reseller.id)
    .where('slug', '=', slug)
    .where('deleted_at', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return trashed
    ? invalid({ slug: ['Belongs to a team that is deleted: restore it, or choose another.'] }, 'team_deleted')
    : invalid({ slug: ['Is already taken.'] }, 'taken')
}

/**
 * Creates a managed team with what its profile says and, where one is given, its first owner. The transaction acts in
 * the reseller, and in the team afterwards.
 */
export async function provisionTeam(context: ProvisionContext, reseller: { id: string }, wanted: NewTeam) {
  const { em, now, emit, audit } = context
  const { name, slug, label = null, external_ref, metadata = {} } = wanted
  const provision = wanted.profile_id ? await readProfile(context, reseller, wanted.profile_id) : undefined
  const plan = wanted.plan ?? provision?.plan ?? 'free'
  const featureOverrides = provision?.feature_overrides ?? {}
  const trialDays = wanted.trial_days === undefined ? provision?.trial_days : wanted.trial_days
  const trialEndsAt = trialDays ? daysAfter(now, trialDays) : null
  const { id = randomUUID() } = wanted
  const tenantId = randomUUID()
  // row security hides from a constraint error which value was taken
  const { numInsertedOrUpdatedRows } = await queries(em)
    .insertInto('tenants')
    .values({
      id: tenantId,
      name,
      slug,
      plan,
      feature_overrides: json(featureOverrides),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw await slugTaken(em, reseller, slug)
  const [made] = await rows(em)<BareTeamRow>`
    insert into managed_teams as m (id, reseller_id, tenant_id, label, external_ref, metadata, trial_ends_at,
      trial_set_at, created_at, updated_at)
    values (${id}, ${reseller.id}, ${tenantId}, ${label}, ${external_ref}, ${json(metadata)}, ${trialEndsAt},
      ${trialEndsAt === null ? null : sql`clock_timestamp()`}, ${now}, ${now})
    returning ${selectBareTeams}`
  await actIn(em, tenantId)
  const owner = wanted.owner
    ? await addPerson(context, { ...wanted.owner, team: { id: tenantId, name }, role: 'owner' }, 'admin_email')
    : null
  const { monitors_count, connections } = provision
    ? await applyProfile(
        context,
        { id: tenantId, name, slug, plan, featureOverrides, isReseller: false },
        provision,
        wanted.variables ?? {},
      )
    : noMonitors
  if (trialEndsAt) startTrial(context, { id, tenant_id: tenantId }, trialEndsAt)
  audit(
    'managed_tenant.created',
    { type: 'managed_tenant', id },
    { name, slug, plan, label, external_ref, trial_ends_at: stamp(trialEndsAt) },
    'reseller',
  )
  emit('team.provisioned', { managed_team_id: id, tenant_id: tenantId, tenant_name: name, label }, 'reseller')
  if (owner !== null) emit('member.added', { tenant_id: tenantId, user_id: owner, role: 'owner' }, { tenantId })
  // triggers add the counts at the end of the transaction; no check has run yet
  return { team: { ...made!, monitors_count, monitors_up_count: 0, monitors_down_count: 0 }, connections }
}
