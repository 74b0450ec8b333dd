import { z } from 'zod'
import { regionName } from '#contract/agent.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { createEnrolment } from './create-enrolment.ts'

export const createEnrolmentToken = endpoint({
  method: 'POST',
  path: '/agents/enrolment-tokens',
  operation: 'agents.enrolmentTokens.create',
  summary: 'Create a one-time enrolment token for an agent',
  description:
    'The token is shown once and is valid for a week. With `region` it enrols an agent of that region only; ' +
    'without it the agent names its region, which is created if it is new.',
  access: 'super-admin',
  body: z.object({ region: regionName.nullable().default(null) }),
  returns: created({
    data: z.object({
      id: z.uuid(),
      token: z.string(),
      region: z.string().nullable(),
      expires_at: z.string().meta({ format: 'date-time' }),
    }),
  }),

  async handle({ body, caller, services, audit }) {
    const { id, plain, expiresAt } = await createEnrolment(services.platform, body.region, {
      createdBy: caller.user?.id ?? null,
    })
    audit('agent_enrolment.created', { type: 'agent_enrolment', id }, { region: body.region })
    return { data: { id, token: plain, region: body.region, expires_at: expiresAt } }
  },
})
