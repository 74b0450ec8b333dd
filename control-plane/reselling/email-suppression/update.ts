import { z } from 'zod'
import { suppressibleMails } from '#contract/events.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { EmailSuppressionView, viewEmailSuppression } from './view.ts'

export const updateEmailSuppression = endpoint({
  method: 'PUT',
  path: '/reseller/email-suppression',
  summary: 'Set the types of e-mail that go to your webhook instead',
  description:
    'For people of all your managed teams. A type is suppressed only while an enabled webhook of ' +
    'yours is subscribed to `email.<type>`, also while that webhook is unreachable: ' +
    'its delivery log shows failures. Mails about access to an account or a change of its address ' +
    'cannot be suppressed.',
  access: { reseller: 'portal:write' },
  body: z.object({
    suppressed_types: z
      .array(z.enum(suppressibleMails, 'Is not a type of e-mail that can be suppressed.'))
      .max(suppressibleMails.length)
      .refine(types => new Set(types).size === types.length, 'Names a type twice.'),
  }),
  returns: ok({ data: EmailSuppressionView }),

  async handle({ body, em, tenant, now, audit }) {
    const before = await viewEmailSuppression(em, tenant)
    const suppression = { types: body.suppressed_types, updated_at: now.toISOString() }
    await queries(em)
      .insertInto('email_suppressions')
      .values({ tenant_id: tenant.id, ...suppression })
      .onConflict(conflict => conflict.column('tenant_id').doUpdateSet(suppression))
      .execute()
    const data = await viewEmailSuppression(em, tenant)
    audit(
      'email_suppression.updated',
      { type: 'tenant', id: tenant.id },
      { suppressed_types: { before: before.suppressed_types, after: data.suppressed_types } },
    )
    return { data }
  },
})
