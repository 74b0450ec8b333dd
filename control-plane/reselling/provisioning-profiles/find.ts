import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { fieldNames, type ProfileFields } from './input.ts'

export interface ProfileRow extends ProfileFields {
  id: string
  created_at: string
  updated_at: string
}

export const selectProfiles = `id, ${fieldNames.join(', ')}, ${stampSql('created_at')} as created_at, ${stampSql('updated_at')} as updated_at`

/** The one way to reach a profile by id: another reseller's is as unknown as one that never was. */
export async function findProfile(
  em: EntityManager,
  reseller: { id: string },
  id: string,
  hold: '' | 'for update' = '',
): Promise<ProfileRow> {
  const [row] = await em.execute<ProfileRow[]>(
    `select ${selectProfiles} from provisioning_profiles where tenant_id = ? and id = ? ${hold}`,
    [reseller.id, id],
  )
  if (!row) throw notFound('Provisioning profile')
  return row
}
