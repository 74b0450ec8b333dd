import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { personName } from '#control-plane/identity/users/input.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { connections } from '#control-plane/passive/connections.ts'
import { VariableValues } from '#control-plane/reselling/monitor-templates/input.ts'
import { changedFields, comparable } from './changed-fields.ts'
import { lockReference } from './external-ref.ts'
import { fields, maxTrialDays } from './input.ts'
import { loadTeam } from './load.ts'
import { type FirstOwner, provisionTeam } from './provision.ts'
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
          'Creates the team’s owner. An address that has an account is refused: create the team ' +
          'without it and invite the person. The account is ' +
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
      const differing = await changedFields(em, team, context.body)
      context.setHeader('X-Vedette-Existing', 'true')
      if (differing.length > 0) context.setHeader('X-Vedette-Differing', differing.join(', '))
      return { data: viewTeam(team, now), connections: [] }
    }
    const { body } = context
    const owner = await ownerOf(context, reseller, body)
    const { team, connections } = await provisionTeam(context, reseller, { ...body, owner })
    return { data: viewTeam(team, now), connections }
  },
})

/** The team's first owner, as the body has them; a 422 for a weak password. */
async function ownerOf(
  { services }: Pick<RequestContext, 'services'>,
  reseller: { name: string },
  { name, slug, admin_email: email, admin_name, admin_password: password }: z.output<typeof body>,
): Promise<FirstOwner | undefined> {
  if (!email || !password) return
  const adminName = admin_name ?? email.split('@')[0] ?? ''
  await refuseWeakPassword(services, 'admin_password', password, [name, slug, reseller.name, adminName, email])
  return { name: adminName, email, password }
}
