import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { isSetupOpen } from './link.ts'

export const SetupView = z
  .object({
    is_open: z.boolean().meta({ description: 'Whether this installation has no operator yet.' }),
    installation: z
      .object({
        base_url: z.string(),
        has_mail_server: z.boolean().meta({ description: 'Without one, mail is kept for the operator to read.' }),
        regions: z.array(z.string()).meta({ description: 'Where checks can run from.' }),
      })
      .nullable()
      .meta({ description: '`null` once set-up is done.' }),
  })
  .meta({ id: 'Setup' })

export const getSetup = endpoint({
  method: 'GET',
  path: '/setup',
  operation: 'setup.get',
  summary: 'Get whether this installation is set up',
  description: 'For the page of the link that a first start prints. Needs no token.',
  access: 'public',
  detached: true,
  returns: ok({ data: SetupView }),

  async handle({ services: { platform, config } }) {
    if (!(await isSetupOpen(platform))) return { data: { is_open: false, installation: null } }
    const regions = await queries(platform)
      .selectFrom('regions')
      .where('retired_at', 'is', null)
      .orderBy('name')
      .select('name')
      .execute()
    const installation = {
      base_url: config.baseUrl,
      has_mail_server: config.mail !== undefined,
      regions: regions.map(({ name }) => name),
    }
    return { data: { is_open: true, installation } }
  },
})
