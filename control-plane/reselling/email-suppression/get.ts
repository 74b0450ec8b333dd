import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { EmailSuppressionView, viewEmailSuppression } from './view.ts'

export const getEmailSuppression = endpoint({
  method: 'GET',
  path: '/reseller/email-suppression',
  summary: 'Get the types of e-mail that go to your webhook instead',
  access: { reseller: 'portal:read' },
  returns: ok({ data: EmailSuppressionView }),

  handle: async ({ em, tenant }) => ({ data: await viewEmailSuppression(em, tenant) }),
})
