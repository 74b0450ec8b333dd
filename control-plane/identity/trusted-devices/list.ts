import { sql } from 'kysely'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'

const time = z.string().meta({ format: 'date-time' })

const TrustedDeviceView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    last_used_ip: z.string().nullable(),
    expires_at: time,
  })
  .meta({ id: 'TrustedDevice' })

export const listTrustedDevices = endpoint({
  method: 'GET',
  path: '/profile/trusted-devices',
  summary: 'List your trusted browsers',
  description:
    'In these the second factor is not asked for. ' +
    'At most twenty, the newest first. They end after thirty days, with the password, and with the factor.',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: z.array(TrustedDeviceView) }),

  async handle({ caller, em }) {
    const data = await queries(em)
      .selectFrom('trusted_devices')
      .where('user_id', '=', signedIn(caller).id)
      .where('expires_at', '>', sql<string>`clock_timestamp()`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .select(['id', 'name'])
      .select(({ ref, fn }) => [
        stamp(ref('created_at')).as('created_at'),
        stamp(ref('last_used_at')).as('last_used_at'),
        fn<string | null>('host', ['last_used_ip']).as('last_used_ip'),
        stamp(ref('expires_at')).as('expires_at'),
      ])
      .execute()
    return { data }
  },
})
