import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { daysAfter, stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { addPerson } from '#control-plane/identity/users/add-person.ts'
import { personName } from '#control-plane/identity/users/input.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { connections } from '#control-plane/monitoring/monitors/connections.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import { VariableValues } from '#control-plane/reselling/monitor-templates/input.ts'
import { applyProfile, noMonitors, readProfile } from '#control-plane/reselling/provisioning-profiles/apply-profile.ts'
import { comparable, differingFields } from './differing.ts'
import { lockReference } from './external-ref.ts'
import { startTrial } from './follow-trial.ts'
import { fields, maxTrialDays } from './input.ts'
import { loadTeam } from './load.ts'
import { type BareTeamRow, selectBareTeams } from './row.ts'
import { TeamView, viewTeam } from './view.ts'

const body = z
  .object({
    name: fields.name,
    slug: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Lower case letters, digits and single hyphens between them.'),
    plan: fields.plan.optional().meta({ description: 'By default that of the profile; without one, free.' }),
    label: fields.label.optional(),
    admin_email: z
      .email()
      .max(255)
      .nullish()
      .meta({
        description:
          'Creates the team’s owner. The address of a verified account is refused. The account is ' +
          'unverified until its mailed link is used.',
      }),
    admin_name: personName.nullish().meta({ description: 'By default the part of the address before the @.' }),
    admin_password: z.string().nullish().meta({
      description: 'Needed with `admin_email`. At least 12 characters, not easy to guess, not known from a breach.',
    }),
    trial_days: z
      .int()
      .min(1)
      .max(maxTrialDays)
      .nullish()
      .meta({ description: 'By default those of the profile; `null`: no trial.' }),
    external_ref: fields.external_ref.default(null),
    metadata: fields.metadata.optional(),
    profile_id: z
      .uuid()
      .toLowerCase()
      .nullish()
      .meta({ description: 'A provisioning profile: what is not sent is taken from it.' }),
    variables: VariableValues.optional().meta({ description: 'Values for the template of the profile.' }),
  })
  .superRefine(({ admin_email, admin_name, admin_password, profile_id, variables }, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (admin_email && !admin_password) complain('admin_password', 'Is needed with admin_email.')
    if (!admin_email && (admin_name || admin_password))
      complain('admin_email', 'Is needed with admin_name and admin_password.')
    if (variables && !profile_id) complain('profile_id', 'Is needed with variables.')
  })
type NewTeam = z.output<typeof body>

export const createManagedTeam = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams',
  summary: 'Provision a managed team',
  description:
    'A call with the same `external_ref` changes nothing and returns the existing team, also with 201: ' +
    'repeated and concurrent calls create one team and one `team.provisioned`. The reply then has ' +
    '`X-Vedette-Existing`, and `X-Vedette-Differing` names the fields that were sent with other values than ' +
    'the team has.',
  access: { reseller: 'teams:write' },
  body,
  returns: created({ data: TeamView, connections }),
  responseHeaders: {
    'X-Vedette-Existing': z
      .enum(['true'])
      .optional()
      .meta({ description: 'Sent when the team existed already: nothing was changed' }),
    'X-Vedette-Differing': z
      .string()
      .optional()
      .meta({ description: `Comma list of fields that differ from the team’s: ${comparable.join(', ')}` }),
  },

  async handle(context) {
    const { em, now, tenant: reseller } = context
    const existing = await lockReference(em, reseller, context.body.external_ref)
    if (existing?.isDeleted)
      throw invalid(
        { external_ref: ['Belongs to a team that is deleted: restore it, or choose another.'] },
        'team_deleted',
      )
    if (existing) {
      const team = await loadTeam(em, existing.id)
      const differing = await differingFields(em, team, context.body)
      context.setHeader('X-Vedette-Existing', 'true')
      if (differing.length > 0) context.setHeader('X-Vedette-Differing', differing.join(', '))
      return { data: viewTeam(team, now), connections: [] }
    }
    const { team, connections } = await provisionTeam(context, reseller, context.body)
    return { data: viewTeam(team, now), connections }
  },
})

type ProvisionContext = Pick<RequestContext, 'em' | 'now' | 'services' | 'emit' | 'start' | 'audit' | 'mail'>

async function provisionTeam(context: ProvisionContext, reseller: { id: string; name: string }, wanted: NewTeam) {
  const { em, now, services, emit, audit } = context
  const { name, slug, label = null, admin_email, admin_password, external_ref, metadata = {} } = wanted
  const adminName = wanted.admin_name ?? admin_email?.split('@')[0] ?? ''
  if (admin_email && admin_password)
    await refuseWeakPassword(services, 'admin_password', admin_password, [
      name,
      slug,
      reseller.name,
      adminName,
      admin_email,
    ])

  const provision = wanted.profile_id ? await readProfile(context, reseller, wanted.profile_id) : undefined
  const plan = wanted.plan ?? provision?.plan ?? 'free'
  const featureOverrides = provision?.feature_overrides ?? {}
  const trialDays = wanted.trial_days === undefined ? provision?.trial_days : wanted.trial_days
  const trialEndsAt = trialDays ? daysAfter(now, trialDays) : null
  const [id, tenantId] = [randomUUID(), randomUUID()]
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
  if (numInsertedOrUpdatedRows === 0n) throw invalid({ slug: ['Is already taken.'] }, 'taken')
  const [made] = await em.execute<BareTeamRow[]>(
    `insert into managed_teams as m (id, reseller_id, tenant_id, label, external_ref, metadata, trial_ends_at,
     created_at, updated_at)
     values (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?) returning ${selectBareTeams}`,
    [id, reseller.id, tenantId, label, external_ref, JSON.stringify(metadata), trialEndsAt, now, now],
  )
  await actIn(em, tenantId)
  const owner =
    admin_email && admin_password
      ? await addPerson(
          context,
          {
            name: adminName,
            email: admin_email,
            password: admin_password,
            team: { id: tenantId, name },
            role: 'owner',
          },
          'admin_email',
        )
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
