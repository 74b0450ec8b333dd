import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const PasskeyView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    rp_id: z.string().meta({ description: 'The host at whose pages it signs in.' }),
    transports: z
      .array(z.string())
      .meta({ description: 'How browsers reach it, such as `internal`, `hybrid`, `usb`.' }),
    is_backup_eligible: z.boolean().meta({ description: 'Whether it can be copied to other devices.' }),
    is_backed_up: z.boolean().meta({ description: 'Whether it was a copied one at its last use.' }),
    aaguid: z.uuid().meta({ description: 'The model of the authenticator; zeros where it does not tell.' }),
    created_at: time,
    updated_at: time,
    last_used_at: time.nullable(),
  })
  .meta({ id: 'Passkey' })

/** The passkeys of a person, the oldest first. */
export const selectPasskeys = (em: EntityManager, userId: string) =>
  queries(em)
    .selectFrom('passkeys as p')
    .where('p.user_id', '=', userId)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .select(['p.id', 'p.name', 'p.rp_id', 'p.transports', 'p.is_backup_eligible', 'p.is_backed_up', 'p.aaguid'])
    .select(({ ref }) => [
      stamp(ref('p.created_at')).as('created_at'),
      stamp(ref('p.updated_at')).as('updated_at'),
      stamp(ref('p.last_used_at')).as('last_used_at'),
    ])

/** A passkey of this person, or a 404. */
export async function findPasskey(em: EntityManager, userId: string, id: string) {
  const passkey = await selectPasskeys(em, userId).where('p.id', '=', id).executeTakeFirst()
  if (!passkey) throw notFound('Passkey')
  return passkey
}
